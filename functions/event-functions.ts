import { DELIVERY_QUEUES } from './access.ts';
import type { Operation } from './operations.ts';

/** The rights of a function, and further settings, as an operation states its own. */
type EventFunction = Pick<Operation, 'access' | 'settings'>;

/** The functions that events invoke, not HTTP requests. */
export const EVENT_FUNCTIONS = {
  'record-payment': {
    access: ['findCart', 'savePayment', 'appendPayments'],
    settings: ['paymentsQueueUrl'],
  },
  // It sends requests, as a merchant does. Its own key is all that it reads.
  canary: { access: ['readCanaryKey'], settings: ['publicUrl'] },
  'fan-out-events': {
    access: ['findStore', 'findEndpoints'],
    settings: ['eventBusName', ...DELIVERY_QUEUES, 'eventDeadLetterQueueUrl', 'auditLogGroup'],
  },
  'run-timers': {
    access: ['runTimers', 'appendAbandonments'],
    settings: [...DELIVERY_QUEUES, 'personalDataDays'],
  },
  'deliver-webhooks': {
    access: ['deliver', 'appendEndpointChanges'],
    settings: [...DELIVERY_QUEUES, 'webhookLoopback'],
  },
} as const satisfies Readonly<Record<string, EventFunction>>;

export type EventFunctionName = keyof typeof EVENT_FUNCTIONS;
