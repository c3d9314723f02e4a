import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { LOCAL_BUS, localClientConfig } from '../../infra/local-access/local-names.ts';
import { PAYMENT_SOURCE } from '../../infra/stage/payment-senders.ts';
import type { Cart } from '../../lib/carts/cart.ts';
import type { Payment } from '../../lib/carts/payment.ts';
import type { Refund } from '../../lib/carts/refund.ts';

/** An event of the payment side about a cart. */
export type Report = Payment | Refund;

/** Creates a sender of reports to the bus of a stage. Up to ten at a time. */
export const createPaymentSide = (dynamodbEndpoint: string) => {
  const eventBridge = new EventBridgeClient(localClientConfig(dynamodbEndpoint));
  return async (reports: readonly (readonly [Cart, Report])[]): Promise<void> => {
    const Entries = reports.map(([{ id: cartId, mode }, { occurredAtMs, ...report }]) => ({
      EventBusName: LOCAL_BUS,
      Source: PAYMENT_SOURCE,
      DetailType: `payment.${'refundId' in report ? 'refunded' : report.result}`,
      Detail: JSON.stringify({ cartId, mode, occurredAt: new Date(occurredAtMs).toISOString(), ...report }),
    }));
    const { FailedEntryCount } = await eventBridge.send(new PutEventsCommand({ Entries }));
    if (FailedEntryCount !== 0) throw new Error('The bus rejected an event');
  };
};
