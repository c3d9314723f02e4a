import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { TABLE_KINDS } from '../../../../lib/database/tables.ts';
import { deliveryMessageOf } from '../../../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../../../lib/deliveries/records/delivery-repository.ts';
import { eventsAmong } from '../../../../lib/events/event-item.ts';
import { createEventRepository } from '../../../../lib/events/event-repository.ts';
import type { LoggedEvent } from '../../../../lib/events/logged-event.ts';
import { createPaymentRepositories } from '../../../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import { paymentTablesOf } from '../../../support/domain/payment-tables.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';
import type { OperatedService } from '../../../support/operators/deployed-stage.ts';
import { BUYER } from '../../../support/secrets.ts';

/** The buyer of one test. */
export const newBuyer = () => ({ ...BUYER, email: `Zsofia.${randomUUID()}@Buyer.example` });

export type TestBuyer = ReturnType<typeof newBuyer>;

/** Creates and reads the data of buyers on a stage. */
export const buyerDataOf = (stage: OperatedService) => {
  /** A cart of a buyer, in the table of its mode. */
  const givenCart = async (customerInfo: TestBuyer, changes: Partial<Cart> = {}): Promise<Cart> => {
    const storeId = changes.storeId ?? (await stage.givenStore(`store-${randomUUID()}`));
    const meta = { gift: `for ${customerInfo.email}` };
    const returnUrl = `https://shop.example/?to=${customerInfo.email}`;
    const cart = waitingCart({ mode: 'test', customerInfo, meta, returnUrl, ...changes, storeId });
    return (await stage.carts[cart.mode].create(cart)).cart;
  };

  /** A payment of a cart, with its event. */
  const pay = async (cart: Cart): Promise<LoggedEvent> => {
    const repositories = createPaymentRepositories(
      stage.documents,
      paymentTablesOf(stage.tableNames),
      stage.clock,
    );
    await recordPaymentEvent(
      { cartId: cart.id, mode: cart.mode, payment: payment() },
      repositories[cart.mode],
    );
    const { entries } = await createEventRepository(stage.documents, stage.tableNames.events).after(
      cart,
      0,
      100,
    );
    return eventsAmong(entries).find(({ cartId }) => cartId === cart.id)!;
  };

  /** A delivery of an event to an endpoint that repeats what it gets. */
  const deliver = async (event: LoggedEvent): Promise<string> => {
    const endpointId = `we_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    const message = deliveryMessageOf({ storeId: event.storeId, mode: event.mode, endpointId }, event);
    const deliveries = createDeliveryRepository(
      stage.documents,
      stage.tableNames.deliveries,
      stage.clock.now,
    );
    const attempt = (response?: string) => ({
      atMs: stage.clock.now(),
      attempt: 1,
      status: 500,
      ms: 5,
      response,
    });
    for (const response of [event.body.slice(0, 500), undefined, event.body.slice(0, 500)]) {
      await deliveries.record(message, { status: 'retrying', result: attempt(response) }, stage.clock.now());
    }
    return endpointId;
  };

  /** The items of every table. */
  const everything = async () => {
    const scans = TABLE_KINDS.map((kind) =>
      stage.documents.send(new ScanCommand({ TableName: stage.tableNames[kind] })),
    );
    return (await Promise.all(scans)).map(({ Items }) => Items);
  };

  return { givenCart, pay, deliver, everything };
};
