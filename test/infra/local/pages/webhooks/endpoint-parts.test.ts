import { expect, test } from 'vitest';
import { endpointState, endpointStatus } from '../../../../../infra/local/pages/webhooks/endpoint-parts.ts';
import type { EndpointWithState } from '../../../../../lib/endpoints/endpoint.ts';
import { NOW_MS } from '../../../../support/clock.ts';
import { DEMO_LOG, textOf } from '../pages.ts';

test.each<[string, string, Partial<EndpointWithState>]>([
  ['enabled', '', { state: { failures: 0 } }],
  ['failing', ' 4 failures in a row', { state: { failures: 4 } }],
  ['paused', ' Your server failed 5 times. Next try due soon', { state: { failures: 5 } }],
  [
    'disabled',
    ' it responded with 410',
    { state: { failures: 5 }, disabled: { atMs: NOW_MS, reason: 'gone' } },
  ],
])('an endpoint says whether it gets events, and why not: %s', (state, cause, changes) => {
  const endpoint: EndpointWithState = {
    ...DEMO_LOG,
    endpointId: 'we_1',
    url: 'https://shop.example',
    createdAtMs: NOW_MS,
    state: { failures: 0 },
    ...changes,
  };
  expect(endpointState(endpoint)).toBe(state);
  expect(textOf(String(endpointStatus(endpoint)))).toBe(state + cause);
});
