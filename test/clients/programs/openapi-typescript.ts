import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from '../generated/openapi-typescript/schema';
import { UNKNOWN_CART, type VisitStage } from '../support/visit';

type Event = components['schemas']['Event'];

const describe = (event: Event): string =>
  event.type === 'cart.duplicate_payment' ? `refund ${event.data.duplicatePaymentId}` : event.type;

export const visitStage: VisitStage = async ({ baseUrl, apiKey, buyer }) => {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
  const path = '/api/v1/stores/cart/checkout';
  const created = await api.POST(path, { body: buyer, headers: { 'Accept-Language': 'fr-CA' } });
  if (!created.data) throw new Error(created.error.message);
  const { cart, redirectUrl } = created.data;
  const retrieved = await api.GET('/api/v1/stores/cart/{cartId}', { params: { path: { cartId: cart.id } } });
  if (!retrieved.data) throw new Error(retrieved.error.message);
  const { id, status, price, meta } = retrieved.data;
  const rejected = await api.POST(path, { body: { ...buyer, email: 'ada' } });
  if (!rejected.error) throw new Error('The stage accepts an e-mail address without a host');
  const paths = 'details' in rejected.error ? rejected.error.details?.map((issue) => issue.path) : [];
  const unknown = await api.GET('/api/v1/stores/cart/{cartId}', {
    params: { path: { cartId: UNKNOWN_CART } },
  });
  const listed = await api.GET('/api/v1/stores/events', { params: { query: { limit: 10 } } });
  return {
    created: { id: cart.id, status: cart.status, redirectUrl },
    retrieved: { id, status, amount: price.amount, currency: price.currency, meta },
    rejected: { status: rejected.response.status, code: rejected.error.code, paths: paths ?? [] },
    unknown: { status: unknown.response.status, code: unknown.error?.code ?? '' },
    events: listed.data?.events.map(describe) ?? [],
  };
};

// The types reject what the service rejects.
type Request = components['schemas']['CreateCartCheckoutRequest'];
// @ts-expect-error -- a return address is a string
export const withNumber: Pick<Request, 'redirectURL'> = { redirectURL: 1 };
// @ts-expect-error -- the values of metadata are strings
export const withNumberInMeta: Pick<Request, 'meta'> = { meta: { seats: 2 } };

// The type of a webhook selects its data.
type Webhook = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];
export const fulfilledBy = (webhook: Webhook): string | undefined =>
  webhook.type === 'cart.completed' ? webhook.data.paymentId : undefined;
