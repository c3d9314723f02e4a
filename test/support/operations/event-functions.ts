import type { EventFunctionName } from '../../../functions/operations.ts';
import { READ_OWN_SECRET, writeEventsExcept } from './denied.ts';
import { type FunctionRow, on } from './row.ts';

/** The functions that events invoke. */
export const EVENT_FUNCTION_ROWS: Readonly<Record<EventFunctionName, FunctionRow>> = {
  'record-payment': {
    denied: [['read an API key', on('apiKeys', 'GetItem', 'key')], ...writeEventsExcept('payment')],
    bundle: { kilobytes: 299, importRatio: 1.029, hasOtherClients: true },
  },
  canary: {
    denied: [READ_OWN_SECRET],
    bundle: { kilobytes: 234, importRatio: 0.884 },
  },
  'fan-out-events': {
    denied: [['send a payment', { eventType: 'payment.succeeded' }], ...writeEventsExcept()],
    bundle: { kilobytes: 310, importRatio: 1.057, hasOtherClients: true },
  },
  'run-due': {
    denied: [
      [
        'change the address of an endpoint',
        on('webhookEndpoints', 'UpdateItem', 'live#shop', ['log', 'id', 'url']),
      ],
      [
        'update the body of an event',
        on('events', 'UpdateItem', 'live#shop', ['log', 'sequence', 'paymentBody']),
      ],
      ...writeEventsExcept('abandonment'),
    ],
    bundle: { kilobytes: 283, importRatio: 1.021, hasOtherClients: true },
  },
  'deliver-webhooks': {
    denied: [READ_OWN_SECRET, ['send cart.completed', { eventType: 'cart.completed' }]],
    bundle: { kilobytes: 317, importRatio: 1.077, hasOtherClients: true },
  },
};
