import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { onTestFinished, vi } from 'vitest';
import { createAdapter, type NewPayment } from '../../../docs/examples/payments/adapter.ts';
import type { PaymentCart } from '../../../docs/examples/payments/cart.ts';
import type { PaymentEvent } from '../../../docs/examples/payments/payment-event.ts';
import { signatureOf } from '../../../docs/examples/payments/provider-signature.ts';
import { recordPaymentMessages } from '../../../functions/record-payment/handler.ts';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { createPaymentRepositories } from '../../../lib/payments/payment-repositories.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { paymentBatchOf, NO_RETURNS } from '../../support/domain/payment-events.ts';
import { paymentTablesOf } from '../../support/domain/payment-tables.ts';
import { cartIdOf } from '../../support/service/http-client.ts';
import { givenService } from '../../support/service/service.ts';

/** The merchant's address for the return of buyers. */
export const SHOP = 'https://shop.example/thanks';

/** The provider's secrets: the one before, and the current one. */
export const SECRETS = ['the secret before', 'the secret now'] as const;

/** Computes the headers of a webhook from its bytes. */
export type Sign = (body: Buffer) => Record<string, string>;

/** The adapter of `docs/examples/payments` in front of the real functions, with a provider that the test plays. */
export const givenPaymentSide = async () => {
  const service = await givenService();
  const { clock, tableNames } = service;
  const liveKey = await service.givenKey({ mode: 'live', limit: 1_000 });
  const productId = await service.givenProduct();
  const repositories = createPaymentRepositories(service.documents, paymentTablesOf(tableNames), {
    now: clock.now,
  });
  const record = recordPaymentMessages({ repositories, now: clock.now, returnMessages: NO_RETURNS });
  const nowSeconds = (): number => Math.floor(clock.now() / 1_000);

  const sign =
    ({ secret = SECRETS[1], ageSeconds = 0 }: { secret?: string; ageSeconds?: number } = {}): Sign =>
    (body) => {
      const timestamp = String(nowSeconds() - ageSeconds);
      return { 'Acme-Signature': `t=${timestamp},v1=${signatureOf(timestamp, body, secret)}` };
    };

  return {
    clock,
    nowSeconds,
    sign,

    /** Creates a live cart of 19.99 EUR. Returns its id. */
    givenCart: async (): Promise<string> =>
      cartIdOf(await service.createCart(cartBody(productId, { redirectURL: SHOP }), { apiKey: liveKey })),

    /** Retrieves a cart as the merchant does. */
    retrieve: async (id: string) => (await service.getCart(id, { apiKey: liveKey })).body,

    /** The number of payments of a cart. */
    countPayments: async (id: string) => (await service.carts.live.find(id))?.payments?.length,

    /** A webhook about a payment of a cart, by default a captured one of 19.99 EUR, with changes of its data. */
    webhook: (reference: string, changes: object = {}, type = 'payment.captured') => ({
      id: randomUUID(),
      type,
      data: {
        payment: `payment of ${reference}`,
        reference,
        amount: 1_999,
        currency: 'EUR',
        live: true,
        occurredAt: nowSeconds(),
        ...changes,
      },
    }),

    /** Starts an adapter. Its bus delivers each event to `record-payment` at once. */
    givenAdapter: async () => {
      const created: NewPayment[] = [];
      const sent: PaymentEvent[] = [];
      const deadLetters: PaymentEvent[] = [];
      const bus = { isDown: false };
      const reported = vi.spyOn(console, 'error').mockReturnValue(undefined);
      const adapter = createAdapter({
        publicUrl: 'https://pay.example.com',
        readCart: async (id) => {
          const { status, body } = await service.getPaymentCart(id);
          return status === 200 ? (body as unknown as PaymentCart) : undefined;
        },
        createPayment: async (payment) => {
          created.push(payment);
          return `https://acme.example/${payment.idempotencyKey}`;
        },
        sendPaymentEvent: async (event) => {
          if (bus.isDown) throw new Error('The bus is down');
          sent.push(event);
          const body = JSON.stringify({ 'detail-type': event.detailType, detail: event.detail });
          const { batchItemFailures } = await record(paymentBatchOf([body], 1));
          if (batchItemFailures.length > 0) deadLetters.push(event);
        },
        webhookSecrets: SECRETS,
        now: clock.now,
      });
      const server = createServer(adapter);
      const port = await listen(server, '127.0.0.1', 0);
      onTestFinished(() => server.close().closeAllConnections());

      const send = async (path: string, init: RequestInit = {}) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, redirect: 'manual' });
        return { status: response.status, location: response.headers.get('location') };
      };
      return {
        created,
        sent,
        deadLetters,
        bus,
        reported,
        send,
        /** Sends a webhook as the provider does. Returns the status of the response. */
        notify: async (webhook: object, headersOf = sign()): Promise<number> => {
          const body = Buffer.from(JSON.stringify(webhook));
          const init = { method: 'POST', body, headers: headersOf(body) };
          return (await send('/webhooks/acme', init)).status;
        },
      };
    },
  };
};

export type PaymentSide = Awaited<ReturnType<typeof givenPaymentSide>>;
