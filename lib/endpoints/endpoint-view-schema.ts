import * as z from 'zod/mini';

// Only contracts import these values, because the functions do not validate their responses. `endpoint-view.ts` has their
// types. Enumerations stay open: a later version can add values.

const time = (description: string) => z.iso.datetime().check(z.describe(description));

const configFields = {
  id: z.string().check(z.regex(/^we_[0-9A-Za-z]{24}$/), z.describe('Identifier of the endpoint')),
  url: z.url().check(z.describe('Where the service sends events')),
  eventTypes: z.optional(
    z.array(z.string()).check(z.minLength(1), z.describe('The types of events to send. Absent: all types')),
  ),
  enabled: z.boolean().check(z.describe('Whether the service sends events to the endpoint')),
  disabledAt: z.optional(time('Since when the endpoint is disabled')),
  disabledReason: z.optional(
    z
      .string()
      .check(
        z.describe(
          'Why the endpoint is disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410. `failing`: every attempt failed for five days. Later versions can add reasons.',
        ),
      ),
  ),
  createdAt: time('When the endpoint was created, ISO 8601 in UTC'),
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

const attemptSchema = z
  .object({
    attempt: z.int().check(z.minimum(1), z.describe('From 1. A delivery that is sent again begins anew.')),
    at: time('When the attempt began'),
    status: z.optional(z.int().check(z.describe('The status of the response'))),
    error: z.optional(
      z
        .string()
        .check(
          z.describe(
            'Why there was no response: `timeout`, `privateAddress`, `hostNotFound`, `connectionFailed`, `connectionClosed`, `tlsFailed`, `invalidResponse` or `invalidUrl`. Later versions can add errors.',
          ),
        ),
    ),
    durationMs: z.int().check(z.minimum(0), z.describe('How long the attempt took, in milliseconds')),
    response: z.optional(
      z.string().check(z.describe('The beginning of the body of the response, without secrets')),
    ),
  })
  .check(z.meta({ id: 'WebhookAttempt', description: 'An attempt to deliver an event' }));

export const deliverySchema = z
  .object({
    id: z.string().check(z.describe('Identifier of the delivery within its endpoint')),
    eventId: z.string().check(z.describe('Identifier of the event')),
    eventType: z.string().check(z.describe('The type of the event, or `webhook.ping`')),
    recordedAt: time('When the service recorded the event'),
    status: z
      .string()
      .check(
        z.describe(
          '`succeeded`; `retrying`: there will be another attempt; `waiting`: the delivery waits for the endpoint to respond to earlier requests, or to recover; `failed`: the last attempt failed; `dropped`: the endpoint was disabled. Later versions can add statuses.',
        ),
      ),
    nextAttemptAt: z.optional(time('When the next attempt is due')),
    attempts: z.array(attemptSchema).check(z.maxLength(20), z.describe('The last 20, the oldest first')),
  })
  .check(z.meta({ id: 'WebhookDelivery', description: 'One event for one endpoint, with its attempts' }));
