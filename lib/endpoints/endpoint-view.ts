import type * as z from 'zod/mini';
import { isoIfAny, isoTime } from '../core/timestamps.ts';
import type { endpointConfigSchema, endpointSchema } from './endpoint-view-schema.ts';
import type { EndpointWithState, WebhookEndpoint } from './endpoint.ts';

/** The part of an endpoint that changes only on purpose. It has no secret. */
export type EndpointConfigView = z.output<typeof endpointConfigSchema>;

/** An endpoint as merchants see it. */
export type EndpointView = z.output<typeof endpointSchema>;

export const viewConfig = (endpoint: WebhookEndpoint): Required<EndpointConfigView> => {
  const { endpointId: id, url, eventTypes, disabled, createdAtMs, createdByKeyId } = endpoint;
  return {
    id,
    url,
    eventTypes: eventTypes && [...eventTypes],
    enabled: disabled === undefined,
    disabledAt: isoIfAny(disabled?.atMs),
    disabledReason: disabled?.reason,
    createdAt: isoTime(createdAtMs),
    createdByKeyId,
  };
};

export const viewEndpoint = (endpoint: EndpointWithState): Required<EndpointView> => ({
  ...viewConfig(endpoint),
  failingSince: isoIfAny(endpoint.state.failingSinceMs),
  lastSuccessAt: isoIfAny(endpoint.state.lastSuccessAtMs),
});
