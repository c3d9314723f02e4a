import { describe, expect, it } from 'vitest';
import { hostIssueOf } from '../../../../lib/endpoints/address/host-check.ts';

describe('the host of an endpoint', () => {
  const check = (addresses: readonly string[], url = 'https://shop.example/') =>
    hostIssueOf(url, async () => addresses);

  it('may have public addresses alone', async () => {
    const rejected = 'The host has an IP address that is not public';
    expect(await check(['93.184.215.14', '2606:4700::1111'])).toBeUndefined();
    expect(await check(['93.184.215.14', '10.0.0.1'])).toBe(rejected);
    expect(await check(['2606:4700::1111', '::1'])).toBe(rejected);
  });

  it('must be in the DNS', async () => {
    const missing = (): Promise<never> => Promise.reject(new Error('ENOTFOUND'));
    expect(await hostIssueOf('https://shop.example/', missing)).toBe(
      'The DNS has no IP address for the host',
    );
  });

  it('of an http address is this machine, without the DNS', async () => {
    const unused = (): Promise<never> => Promise.reject(new Error('unused'));
    expect(await hostIssueOf('http://localhost:80/', unused)).toBeUndefined();
    expect(await hostIssueOf('http://127.0.0.1:80/', unused)).toBeUndefined();
  });
});
