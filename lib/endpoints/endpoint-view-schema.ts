import * as z from 'zod/mini';
import { extensible, time, withMeanings } from '../schemas/view-fields.ts';
import type { DisabledReason } from './endpoint.ts';

// No function imports these values, because the functions do not validate their responses. `endpoint-view.ts` has their
// types. Enumerations stay open: a later version can add values.

/** The reason why an endpoint is disabled, in a few words. */
export const DISABLED_REASONS: Readonly<Record<DisabledReason, string>> = {
  merchant: 'by your API key',
  operator: 'by us',
  gone: 'it responded with 410',
  failing: 'every attempt failed for five days',
};

const configFields = {
  id: z.string().check(z.regex(/^we_[0-9A-Za-z]{24}$/), z.describe('Identifier of the endpoint')),
  url: z.url().check(z.describe('Where the service sends events')),
  eventTypes: z.optional(
    z.array(z.string()).check(z.minLength(1), z.describe('The types of events to send. Absent: all types')),
  ),
  enabled: z.boolean().check(z.describe('Whether the service sends events to the endpoint')),
  disabledAt: z.optional(time('Since when the endpoint is disabled')),
  disabledReason: z.optional(
    extensible(
      Object.keys(DISABLED_REASONS),
      `Why the endpoint is disabled. ${withMeanings(DISABLED_REASONS)}`,
    ),
  ),
  createdAt: time('When the endpoint was created'),
  createdByKeyId: z.optional(
    z
      .string()
      .check(z.describe('The beginning of the id of the API key that created it. Absent if we created it.')),
  ),
};

export const endpointConfigSchema = z
  .object(configFields)
  .check(z.meta({ id: 'WebhookEndpointConfig', description: 'A webhook endpoint as it was configured' }));

export const endpointSchema = z
  .object({
    ...configFields,
    failingSince: z.optional(time('The first failed attempt after the last success')),
    lastSuccessAt: z.optional(time('The last attempt that succeeded')),
  })
  .check(z.meta({ id: 'WebhookEndpoint', description: 'A webhook endpoint' }));
