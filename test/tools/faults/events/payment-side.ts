import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { LOCAL_BUS, localClientConfig } from '../../../../infra/local/local-database.ts';
import { PAYMENT_SOURCE } from '../../../../infra/payment-senders.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { Payment } from '../../../../lib/carts/payment.ts';

/** Creates a sender of payment events to the bus of a stage. Up to ten at a time. */
export const createPaymentSide = (dynamodbEndpoint: string) => {
  const eventBridge = new EventBridgeClient(localClientConfig(dynamodbEndpoint));
  return async (payments: readonly (readonly [Cart, Payment])[]): Promise<void> => {
    const Entries = payments.map(([{ id: cartId, mode }, { result, occurredAtMs, ...payment }]) => ({
      EventBusName: LOCAL_BUS,
      Source: PAYMENT_SOURCE,
      DetailType: `payment.${result}`,
      Detail: JSON.stringify({ cartId, mode, occurredAt: new Date(occurredAtMs).toISOString(), ...payment }),
    }));
    const { FailedEntryCount } = await eventBridge.send(new PutEventsCommand({ Entries }));
    if (FailedEntryCount !== 0) throw new Error('The bus rejected an event');
  };
};
