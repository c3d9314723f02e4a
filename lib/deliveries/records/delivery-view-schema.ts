import * as z from 'zod/mini';
import { extensible, time, withMeanings } from '../../schemas/view-fields.ts';
import { ATTEMPT_ERRORS } from './attempt.ts';
import { ATTEMPTS_KEPT_MAX, type DeliveryStatus } from './delivery.ts';

// No function imports these values: see `view-fields.ts`.

const attemptSchema = z
  .object({
    attempt: z.int().check(z.minimum(1), z.describe('From 1. A delivery that is sent again begins anew.')),
    at: time('When the attempt began'),
    status: z.optional(z.int().check(z.describe('The status of the response'))),
    error: z.optional(
      extensible(
        ATTEMPT_ERRORS,
        `Why there was no response: ${ATTEMPT_ERRORS.map((error) => `\`${error}\``).join(', ')}.`,
      ),
    ),
    durationMs: z.int().check(z.minimum(0), z.describe('How long the attempt took, in milliseconds')),
    response: z.optional(
      z
        .string()
        .check(
          z.describe(
            'The beginning of the body of the response, without secrets. Of a compressed body, only its `content-encoding`.',
          ),
        ),
    ),
  })
  .check(z.meta({ id: 'WebhookAttempt', description: 'An attempt to deliver an event' }));

const STATUSES: Readonly<Record<DeliveryStatus, string>> = {
  succeeded: 'the endpoint has the event',
  retrying: 'there will be another attempt',
  waiting: 'the delivery waits for the endpoint to respond to earlier requests, or to recover',
  failed: 'the last attempt failed',
  dropped: 'the endpoint was disabled',
};

export const deliverySchema = z
  .object({
    id: z.string().check(z.describe('Identifier of the delivery within its endpoint')),
    eventId: z.string().check(z.describe('Identifier of the event')),
    eventType: z
      .string()
      .check(z.describe('The type of the event. A test event has `webhook.ping`, or `test.` and its type.')),
    recordedAt: time('When the service recorded the event'),
    status: extensible(Object.keys(STATUSES), withMeanings(STATUSES)),
    nextAttemptAt: z.optional(time('When the next attempt is due')),
    attempts: z
      .array(attemptSchema)
      .check(z.maxLength(ATTEMPTS_KEPT_MAX), z.describe(`The last ${ATTEMPTS_KEPT_MAX}, the oldest first`)),
  })
  .check(z.meta({ id: 'WebhookDelivery', description: 'One event for one endpoint, with its attempts' }));
