// SPDX-License-Identifier: MIT-0
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { NewPayment } from './adapter.ts';
import type { ProviderWebhook } from './payment-event.ts';
import { signatureOf } from './provider-signature.ts';

/** The webhook and the outcome of each button of the payment page. */
const ACTIONS: Readonly<Record<string, { readonly type: string; readonly outcome: string }>> = {
  pay: { type: 'payment.captured', outcome: 'succeeded' },
  decline: { type: 'payment.declined', outcome: 'failed' },
  refund: { type: 'payment.refunded', outcome: 'succeeded' },
};

const BUTTONS = Object.keys(ACTIONS).map(
  (action) => `<button name="action" value="${action}">${action}</button>`,
);

/**
 * A payment provider for the local stage, which moves no money. `/provider/{key}` is the page of a payment. A choice there
 * sends a signed webhook to the adapter, then sends the buyer back.
 */
export const createStandInProvider = (
  adapterUrl: string,
  secret: string,
): {
  readonly createPayment: (payment: NewPayment) => Promise<string>;
  readonly listener: RequestListener;
} => {
  const payments = new Map<string, NewPayment>();

  const sendWebhook = async (payment: NewPayment, type: string): Promise<void> => {
    const { reference, amount, currency, live, idempotencyKey } = payment;
    const seconds = Math.floor(Date.now() / 1_000);
    const refund = `refund of ${idempotencyKey}`;
    const data = { payment: idempotencyKey, refund, reference, amount, currency, live, occurredAt: seconds };
    const body = Buffer.from(JSON.stringify({ id: randomUUID(), type, data } satisfies ProviderWebhook));
    const signature = `t=${seconds},v1=${signatureOf(String(seconds), body, secret)}`;
    const headers = { 'Content-Type': 'application/json', 'Acme-Signature': signature };
    const response = await fetch(`${adapterUrl}/webhooks/acme`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`The webhook got ${response.status}. A real provider would retry it.`);
  };

  const serve = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    const payment = payments.get((request.url ?? '').replace('/provider/', ''));
    if (!payment) return void response.writeHead(404).end();
    if (request.method === 'GET') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      return void response.end(`<form method="post">${BUTTONS.join(' ')}</form>`);
    }
    const action = ACTIONS[new URLSearchParams(await text(request)).get('action') ?? ''];
    if (action) await sendWebhook(payment, action.type);
    const location = `${payment.returnUrl}?outcome=${action?.outcome ?? 'left'}`;
    return void response.writeHead(303, { Location: location }).end();
  };

  return {
    createPayment: (payment) => {
      payments.set(payment.idempotencyKey, payment);
      return Promise.resolve(`${adapterUrl}/provider/${payment.idempotencyKey}`);
    },
    listener: (request, response) => {
      serve(request, response).catch((error: unknown) => {
        console.error(error);
        response.writeHead(502).end();
      });
    },
  };
};
