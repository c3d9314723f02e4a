import { setTimeout } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  LOCAL_BUS,
  LOCAL_TABLE_NAMES,
  localClientConfig,
} from '../../../../infra/local-access/local-names.ts';
import { PAYMENT_SOURCE } from '../../../../infra/stage/payment-senders.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { Payment } from '../../../../lib/carts/payment.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';
import { LOG, type PaymentsEnvironment } from './environment.ts';

/** Longer than any fault and the recovery from it. */
const TAKEN_MS_MAX = 120_000;

const PAUSE_MS = 200;

/**
 * Puts the payment of a cart on the bus of a process.
 *
 * @throws if the bus does not take it
 */
const putPayment = async (
  dynamodbEndpoint: string,
  { id: cartId, mode }: Cart,
  paid: Payment,
): Promise<void> => {
  const { occurredAtMs, ...report } = paid;
  const detail = { cartId, mode, occurredAt: new Date(occurredAtMs).toISOString(), ...report };
  const entry = {
    EventBusName: LOCAL_BUS,
    Source: PAYMENT_SOURCE,
    DetailType: 'payment.succeeded',
    Detail: JSON.stringify(detail),
  };
  const eventBridge = new EventBridgeClient(localClientConfig(dynamodbEndpoint));
  const { FailedEntryCount } = await eventBridge.send(new PutEventsCommand({ Entries: [entry] }));
  if (FailedEntryCount !== 0) throw new Error('The bus rejected an event');
};

/**
 * Creates a cart. Sends its payment to the bus of a process, and after a failure to that of the other. Returns the cart's id.
 *
 * @throws Error if no bus takes the payment
 */
export const payCart = async ({ documents, stages }: PaymentsEnvironment): Promise<string> => {
  const nowMs = Date.now();
  const carts = createCartRepository(documents, LOCAL_TABLE_NAMES.testCarts, Date.now);
  const cart = waitingCart({
    ...LOG,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 86_400_000,
    deleteAtSeconds: undefined,
  });
  const paid = payment({ occurredAtMs: nowMs });
  const endMs = performance.now() + TAKEN_MS_MAX;
  // Not by the seed: the number of payments depends on time.
  for (let attempt = Math.floor(2 * Math.random()); ; attempt += 1) {
    const { dynamodbEndpoint } = stages[attempt % stages.length]!;
    try {
      // It exists already if the response to an earlier attempt was lost.
      await carts.create(cart);
      await putPayment(dynamodbEndpoint, cart, paid);
      return cart.id;
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
};
