import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayErrorBody } from '../../infra/contract/gateway-error.ts';
import type { CartEvent } from '../../lib/carts/cart-event.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { setTimes, type StageTests, waitUntil } from '../support/deploy/test-carts.ts';
import {
  startWebhookReceiver,
  verifyWebhook,
  type WebhookReceiver,
} from '../support/http/webhook-receiver.ts';
import { submitAction } from '../support/service/sandbox-page.ts';

interface Delivery {
  readonly eventId: string;
  readonly status: string;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly status?: number;
    readonly error?: string;
  }[];
}

/** The tests of the events of a deployed stage: feed, webhooks, expiry. */
export const describeEvents = ({ endpoint, stage, createCart }: StageTests): void => {
  describe('the events of a deployed stage', () => {
    let receiver: WebhookReceiver;
    let webhookSecret: string;
    let endpointId: string;
    let expiredCartId: string;

    beforeAll(async () => {
      receiver = await startWebhookReceiver((webhook) => void verifyWebhook(webhookSecret, webhook));
      const flags = ['--store', 'shop', '--mode', 'test', '--url', receiver.url];
      const { id, secret } = await stage().operate('webhooks', 'create', ...flags);
      endpointId = String(id);
      webhookSecret = String(secret);
      const expiresAtMs = Date.now() - 60_000;
      expiredCartId = await createCart(stage());
      const times = { expiresAtMs, timerAtMs: expiresAtMs };
      await setTimes(endpoint(), stage().outputs['TestCartsTable'], expiredCartId, times);
    });

    afterAll(() => receiver.close());

    /** The events that arrived with a valid signature. */
    const arrived = (): readonly CartEvent[] =>
      receiver.received
        .filter(({ status }) => status !== undefined)
        .map(({ body }) => JSON.parse(body) as CartEvent);

    /** Waits until an event arrives that fits. */
    const untilArrived = (fits: (event: CartEvent) => boolean): Promise<CartEvent> =>
      waitUntil(() => arrived().find(fits));

    const untilDelivery = (eventId: string, status: string): Promise<Delivery> =>
      waitUntil(async () => {
        const { deliveries } = await stage().operate('webhooks', 'deliveries', endpointId);
        return (deliveries as Delivery[]).find((each) => each.eventId === eventId && each.status === status);
      });

    /** The events of the feed, in pages of this length. */
    const readFeed = async (
      limit: number,
    ): Promise<{ readonly id: string; readonly data: { readonly id: string } }[]> => {
      const events: { id: string; data: { id: string } }[] = [];
      let cursor = '';
      for (;;) {
        const after = cursor === '' ? '' : `&after=${cursor}`;
        const { baseUrl, apiKey } = stage();
        const page = await fetch(`${baseUrl}/api/v1/stores/events?limit=${limit}${after}`, {
          headers: { Authorization: `Bearer ${apiKey}` },
        });
        expect(page.status).toBe(200);
        const body = (await page.json()) as Record<string, unknown>;
        events.push(...(body['events'] as typeof events));
        cursor = String(body['cursor']);
        if (body['hasMore'] !== true) return events;
      }
    };

    it('reach a receiver on this machine, signed, after a payment in the sandbox, and are in the feed', async () => {
      const cartId = await createCart(stage());
      await submitAction(stage().baseUrl, cartId, 'pay');
      const event = await untilArrived(({ data }) => data.id === cartId);
      expect(event).toMatchObject({ type: 'cart.completed', data: { status: 'completed' } });
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toContain(event.id);
      expect(await untilDelivery(event.id, 'succeeded')).toMatchObject({ attempts: [{ status: 204 }] });
      expect(await readFeed(1)).toContainEqual(event);
    });

    it('are sent again to a receiver that was dead, and by a replay, with the same id', async () => {
      const cartId = await createCart(stage());
      await receiver.close();
      await submitAction(stage().baseUrl, cartId, 'pay');
      // Long pages: the gateway limits the requests a second.
      const { id: eventId } = await waitUntil(async () =>
        (await readFeed(100)).find(({ data }) => data.id === cartId),
      );
      const { attempts } = await untilDelivery(eventId, 'retrying');
      expect(attempts).toMatchObject([{ attempt: 1, error: 'connectionFailed' }]);
      await receiver.reopen();
      await untilArrived(({ id }) => id === eventId);
      const retried = await untilDelivery(eventId, 'succeeded');
      expect(retried.attempts.at(-1)).toMatchObject({ status: 204 });

      const arrivals = () => arrived().filter(({ id }) => id === eventId).length;
      const before = arrivals();
      expect(await stage().operate('webhooks', 'replay', endpointId, '--event', eventId)).toMatchObject({
        replayed: 1,
      });
      await waitUntil(() => arrivals() > before);
    });

    it('include an abandoned cart within two minutes of its expiry: timer, run, stream', async () => {
      const event = await untilArrived(({ data }) => data.id === expiredCartId);
      expect(event).toMatchObject({ type: 'cart.abandoned', data: { status: 'abandoned' } });
    });

    it('include a cart that expires in the sandbox, and its late payment', async () => {
      const cartId = await createCart(stage());
      const eventOf = (expected: string) =>
        untilArrived(({ type, data }) => type === expected && data.id === cartId);
      await submitAction(stage().baseUrl, cartId, 'expire');
      expect(await eventOf('cart.abandoned')).toMatchObject({ data: { status: 'abandoned' } });
      await submitAction(stage().baseUrl, cartId, 'pay');
      const late = { status: 'completed', latePayment: true };
      expect(await eventOf('cart.completed')).toMatchObject({ data: late });
    });

    it('leave no dead letter', async () => {
      expect(await stage().operate('dead-letters', 'list', '--queue', 'events')).toStrictEqual({
        deadLetters: [],
      });
      expect(await stage().operate('dead-letters', 'list', '--queue', 'deliveries')).toStrictEqual({
        deadLetters: [],
      });
    });
  });
};

/** The emulator demands a signature of the route, but does not check it: `internal-access.test.ts` holds the policy. */
const SIGNATURE =
  'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0';

/** The tests of the route for the payment side. */
export const describeInternalRoute = ({ stage, createCart }: Omit<StageTests, 'endpoint'>): void => {
  describe("the payment side's route", () => {
    it('shows a cart to a signed request, and to no other', async () => {
      const cartId = await createCart(stage());
      const address = `${stage().baseUrl}/internal/v1/carts/${cartId}`;
      const unsigned = await fetch(address);
      expect([unsigned.status, await unsigned.json()]).toStrictEqual([
        404,
        JSON.parse(gatewayErrorBody(API_ERRORS.routeNotFound)),
      ]);
      const signed = await fetch(address, { headers: { Authorization: SIGNATURE } });
      expect(signed.status).toBe(200);
      expect(await signed.json()).toMatchObject({
        id: cartId,
        store: { id: 'shop' },
        product: { id: 'course', name: 'Course' },
        price: { amount: 49.9, currency: 'EUR' },
      });
    });
  });
};
