import { OPERATIONS } from '../../../../functions/operations.ts';
import { isOpen } from '../../../../lib/endpoints/breaker.ts';
import { DISABLED_REASONS } from '../../../../lib/endpoints/endpoint-view-schema.ts';
import type { EndpointWithState } from '../../../../lib/endpoints/endpoint.ts';
import { PING_TYPE } from '../../../../lib/events/event-types.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { isBuiltIn } from '../../demo/receiver.ts';
import { breakable, demoKeyOf, pill, requestButton, time } from '../parts/elements.ts';

/** An address without its query, which may hold a secret. */
const shownUrl = (url: string): string => {
  const parsed = URL.parse(url);
  return parsed ? parsed.origin + parsed.pathname : url;
};

/** The name of an endpoint for a person. */
export const endpointName = (endpoint: EndpointWithState): string =>
  isBuiltIn(endpoint) ? 'built-in receiver' : shownUrl(endpoint.url);

/** The name of an endpoint without its protocol. */
export const shortEndpointName = (endpoint: EndpointWithState): string =>
  endpointName(endpoint).replace(/^https?:\/\//, '');

/** Orders endpoints: those of the user, the newest first, then the built-in receivers by their stores. */
export const byNewest = (a: EndpointWithState, b: EndpointWithState): number =>
  Number(isBuiltIn(a)) - Number(isBuiltIn(b)) ||
  (isBuiltIn(a) ? a.storeId.localeCompare(b.storeId) : b.createdAtMs - a.createdAtMs);

/** An endpoint as a link to its page. */
export const endpointReference = (endpoint: EndpointWithState): Markup =>
  markup`<a href="/endpoints/${endpoint.endpointId}">${breakable(endpointName(endpoint))}</a>`;

/** The state of an endpoint, as the list of endpoints filters it. */
export const endpointState = ({
  disabled,
  state,
}: EndpointWithState): 'enabled' | 'failing' | 'paused' | 'disabled' => {
  if (disabled) return 'disabled';
  if (isOpen(state)) return 'paused';
  return state.failures > 0 ? 'failing' : 'enabled';
};

const TONES = { enabled: 'good', failing: 'warn', paused: 'bad', disabled: 'plain' } as const;

/** Why an endpoint gets no or few events. */
const causeOf = ({ disabled, state }: EndpointWithState): Markup | string | undefined => {
  const { failures, probeAtMs } = state;
  if (disabled) return DISABLED_REASONS[disabled.reason];
  if (isOpen(state))
    return markup`Your server failed ${String(failures)} times. Next try due ${probeAtMs === undefined ? 'soon' : time(probeAtMs)}`;
  return failures > 0 ? `${failures} ${failures === 1 ? 'failure' : 'failures in a row'}` : undefined;
};

/** The pill of an endpoint, and why it gets no or few events. */
export const endpointStatus = (endpoint: EndpointWithState): Markup => {
  const state = endpointState(endpoint);
  const cause = causeOf(endpoint);
  return markup`${pill(state, TONES[state])}${cause && markup` <span>${cause}</span>`}`;
};

/** The path of an endpoint in the API. */
export const apiPath = ({ endpointId }: EndpointWithState): string =>
  OPERATIONS.getWebhookEndpoint.path.replace('{endpointId}', endpointId);

/** A button that sends a test event of a type to an endpoint that the key of a demo store may test. */
export const testButton = (
  endpoint: EndpointWithState,
  text: string,
  type = PING_TYPE,
): Markup | undefined => {
  const apiKey = demoKeyOf(endpoint);
  if (apiKey === undefined || endpoint.disabled) return undefined;
  const path = `${apiPath(endpoint)}/test?eventType=${type}`;
  return requestButton(text, { apiKey, path, done: 'The test event is on its way.' });
};

/** A button that removes an endpoint of a demo store. The built-in receiver would not come back. */
export const removeButton = (endpoint: EndpointWithState): Markup | undefined => {
  const apiKey = demoKeyOf(endpoint);
  if (apiKey === undefined || isBuiltIn(endpoint)) return undefined;
  const remove = { apiKey, method: 'DELETE', path: apiPath(endpoint) } as const;
  return requestButton('Remove', {
    ...remove,
    question: 'Remove this endpoint, with its deliveries?',
    done: 'The endpoint is removed.',
  });
};
