import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../../../lib/events/event-types.ts';
import { NOW_MS } from '../../../../support/clock.ts';
import { newEndpoint, storeEndpoint } from '../../../../support/domain/endpoints.ts';
import { DEMO_LOG, givenDashboard, textOf } from '../pages.ts';

const ENDPOINT = newEndpoint({ ...DEMO_LOG, endpointId: 'we_1', url: 'http://127.0.0.1:8080/hook' });

const givenEndpoint = async (changes: Partial<typeof ENDPOINT> = {}) => {
  const dashboard = await givenDashboard();
  const secret = await storeEndpoint(dashboard.database, { ...ENDPOINT, ...changes });
  return { ...dashboard, secret, page: () => dashboard.text('/endpoints/we_1') };
};

/** The paths to which the buttons of a page send a request. */
const pathsOf = (html: string): readonly string[] =>
  [...html.matchAll(/&quot;path&quot;:&quot;(.*?)&quot;/g)].map(([, path]) => String(path));

test('the page of an endpoint has its secret, and the commands of receivers with it', async () => {
  const { page, secret } = await givenEndpoint();
  const text = textOf(await page());
  expect(text).toMatch(new RegExp(`Secret\\s*${secret.replaceAll('+', String.raw`\+`)}`));
  expect(text.split(`WEBHOOK_SECRET=${secret}`)).toHaveLength(4);
});

test('the page sends a test event of each type, and a check', async () => {
  const { page } = await givenEndpoint();
  const paths = pathsOf(await page());
  const api = '/api/v1/stores/webhook-endpoints/we_1';
  const tests = ['webhook.ping', ...EVENT_TYPES].map((type) => `${api}/test?eventType=${type}`);
  expect(paths).toStrictEqual([api, ...tests, '/endpoint-checks/we_1']);
});

test('the results of a check say what must change', async () => {
  const { page, checks } = await givenEndpoint();
  checks.set('we_1', [
    { name: 'valid', status: 204, ms: 3, isPassed: true },
    { name: 'forged', status: 200, ms: 4, response: 'OK', isPassed: false },
    { name: 'old', error: 'timeout', ms: 5, isPassed: false },
  ]);
  const text = textOf(await page()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('204accepted, as it must be');
  expect(text).toContain('200must be rejected: respond with 400OK');
  expect(text).toContain('timeoutmust be rejected: respond with 400No response within 10 seconds');
});

test.each([
  ['of another store', { storeId: 'shop' }],
  ['in live mode', { mode: 'live' }],
] as const)('an endpoint %s has neither its secret nor a button', async (_, changes) => {
  const { page, secret } = await givenEndpoint(changes);
  const html = await page();
  expect(html).not.toContain(secret);
  expect(pathsOf(html)).toStrictEqual([]);
});

test('the page says why an endpoint gets no events', async () => {
  const { page } = await givenEndpoint({ disabled: { atMs: NOW_MS, reason: 'gone' } });
  expect(textOf(await page())).toContain('disabled it responded with 410');
});
