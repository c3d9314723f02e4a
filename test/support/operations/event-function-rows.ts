import type { EventFunctionName } from '../../../functions/event-functions.ts';
import { READ_OWN_SECRET, writeEventsExcept } from './denied.ts';
import { type DeniedCall, type FunctionRow, on } from './row-types.ts';

const MOVE_ENDPOINT: DeniedCall = [
  'change the address of an endpoint',
  on('webhookEndpoints', 'UpdateItem', 'live#shop', ['log', 'id', 'url']),
];

/** The functions that events invoke. */
export const EVENT_FUNCTION_ROWS: Readonly<Record<EventFunctionName, FunctionRow>> = {
  'record-payment': {
    denied: [['read an API key', on('apiKeys', 'GetItem', 'key')], ...writeEventsExcept('payment')],
  },
  canary: {
    denied: [READ_OWN_SECRET],
  },
  'fan-out-events': {
    denied: [['send a payment', { eventType: 'payment.succeeded' }], ...writeEventsExcept()],
  },
  'run-timers': {
    denied: [
      MOVE_ENDPOINT,
      [
        'update the body of an event',
        on('events', 'UpdateItem', 'live#shop', ['log', 'sequence', 'paymentBody']),
      ],
      ...writeEventsExcept('abandonment'),
    ],
  },
  'deliver-webhooks': {
    denied: [READ_OWN_SECRET, MOVE_ENDPOINT, ...writeEventsExcept('endpoint')],
  },
};
