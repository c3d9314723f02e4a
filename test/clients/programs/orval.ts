import { createCartCheckout, getCart, listEvents } from '../generated/orval/client';
import type { CreateCartCheckoutRequest, Event } from '../generated/orval/model';
import { UNKNOWN_CART, type VisitStage } from '../support/visit';
import { setStage } from './orval-fetch';

const describe = (event: Event): string =>
  event.type === 'cart.duplicate_payment' ? `refund ${event.data.duplicatePaymentId}` : event.type;

export const visitStage: VisitStage = async ({ baseUrl, apiKey, buyer }) => {
  setStage(baseUrl, apiKey);
  const created = await createCartCheckout(buyer);
  if (created.status !== 201) throw new Error(created.data.message);
  const { cart, redirectUrl } = created.data;
  const retrieved = await getCart(cart.id);
  if (retrieved.status !== 200) throw new Error(`The stage responds ${retrieved.status}`);
  const { id, status, price, meta } = retrieved.data;
  const rejected = await createCartCheckout({ ...buyer, email: 'ada' });
  if (rejected.status !== 422) throw new Error('The stage accepts an e-mail address without a host');
  const { code, details = [] } = rejected.data;
  const unknown = await getCart(UNKNOWN_CART);
  if (unknown.status !== 404) throw new Error('The stage knows an unknown cart');
  const listed = await listEvents({ limit: 10 });
  if (listed.status !== 200) throw new Error(listed.data.message);
  return {
    created: { id: cart.id, status: cart.status, redirectUrl },
    retrieved: { id, status, amount: price.amount, currency: price.currency, meta },
    rejected: { status: rejected.status, code, paths: details.map(({ path }) => path) },
    unknown: { status: unknown.status, code: unknown.data.code },
    events: listed.data.events.map(describe),
  };
};

// The types reject what the service rejects.
// @ts-expect-error -- a return address is a string
export const withNumber: Pick<CreateCartCheckoutRequest, 'redirectURL'> = { redirectURL: 1 };
// @ts-expect-error -- the values of metadata are strings
export const withNumberInMeta: Pick<CreateCartCheckoutRequest, 'meta'> = { meta: { seats: 2 } };
