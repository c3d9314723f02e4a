import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostIssueOf } from '../../../../lib/endpoints/address/host-check.ts';
import { createResolveHost } from '../../../../lib/endpoints/address/resolve-host.ts';
import { type DnsResponse, givenDns } from './dns-server.ts';

const URL = 'https://shop.example/';
const NO_RESPONSE = 'The DNS did not respond for the host';
const NO_ADDRESS = 'The DNS has no IP address for the host';

const givenResolve = async (A: DnsResponse, AAAA: DnsResponse) => {
  const { resolver, bothReceived } = await givenDns({ A, AAAA });
  const resolve4 = vi.spyOn(resolver, 'resolve4');
  const bothAsked = async (): Promise<void> => {
    await bothReceived;
    if (A !== 'silent') await Promise.allSettled(resolve4.mock.results.map(({ value }) => value as unknown));
  };
  return { resolve: createResolveHost(() => resolver), bothAsked };
};

afterEach(() => {
  vi.useRealTimers();
});

/** Stops the process's timers. */
const withoutTime = (): void => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

describe('a name server that is silent', () => {
  it('is asked for both types of addresses at once, and after 1.5 s, the check has a reason', async () => {
    const { resolve, bothAsked } = await givenResolve('silent', 'silent');
    withoutTime();
    let reason: string | undefined = 'pending';
    const checking = hostIssueOf(URL, resolve).then((result) => (reason = result));
    await bothAsked();
    await vi.advanceTimersByTimeAsync(1_499);
    await setImmediate();
    expect(reason).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(await checking).toBe(NO_RESPONSE);
  });

  it('about one type of addresses leaves those of the other type', async () => {
    const { resolve, bothAsked } = await givenResolve('93.184.215.14', 'silent');
    withoutTime();
    const resolving = resolve('shop.example');
    await bothAsked();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await resolving).toStrictEqual(['93.184.215.14']);
  });

  it('about one type is not a missing address, if the other type has none', async () => {
    const { resolve, bothAsked } = await givenResolve('NODATA', 'silent');
    withoutTime();
    const checking = hostIssueOf(URL, resolve);
    await bothAsked();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await checking).toBe(NO_RESPONSE);
  });
});

describe('a name server that responds', () => {
  it.each([
    ['93.184.215.14', 'NODATA', undefined],
    ['10.0.0.1', 'NODATA', 'The host has an IP address that is not public'],
    ['NODATA', 'NODATA', NO_ADDRESS],
    ['NXDOMAIN', 'NXDOMAIN', NO_ADDRESS],
    ['SERVFAIL', 'SERVFAIL', NO_RESPONSE],
  ] as const)('with %s and %s gives the result: %s', async (A, AAAA, reason) => {
    const { resolve } = await givenResolve(A, AAAA);
    expect(await hostIssueOf(URL, resolve)).toBe(reason);
  });

  it('leaves no timer behind', async () => {
    const { resolve } = await givenResolve('93.184.215.14', 'NODATA');
    withoutTime();
    await resolve('shop.example');
    expect(vi.getTimerCount()).toBe(0);
  });
});
