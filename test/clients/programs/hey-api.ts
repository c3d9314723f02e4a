import { createClient } from '../generated/hey-api/client';
import { createCartCheckout, getCart, listEvents } from '../generated/hey-api/sdk.gen';
import type { CreateCartCheckoutRequest, Event, Webhooks } from '../generated/hey-api/types.gen';
import {
  zCreateCartCheckoutRequest,
  zCreateCartCheckoutResponse,
  zEventList,
  zRetrievedCart,
  zValidationErrorResponse,
} from '../generated/hey-api/zod.gen';
import { UNKNOWN_CART, type VisitStage } from '../support/visit';

const describe = (event: Event): string =>
  event.type === 'cart.duplicate_payment' ? `refund ${event.data.duplicatePaymentId}` : event.type;

export const visitStage: VisitStage = async ({ baseUrl, apiKey, buyer }) => {
  const client = createClient({ baseUrl, auth: apiKey });
  const created = await createCartCheckout({ client, body: zCreateCartCheckoutRequest.parse(buyer) });
  if (!created.data) throw new Error(created.error.message);
  const { cart, redirectUrl } = zCreateCartCheckoutResponse.parse(created.data);
  const retrieved = await getCart({ client, path: { cartId: cart.id } });
  const { id, status, price, meta } = zRetrievedCart.parse(retrieved.data);
  const rejected = await createCartCheckout({ client, body: { ...buyer, email: 'ada' } });
  const { code, details = [] } = zValidationErrorResponse.parse(rejected.error);
  const unknown = await getCart({ client, path: { cartId: UNKNOWN_CART } });
  const listed = await listEvents({ client, query: { limit: 10 } });
  return {
    created: { id: cart.id, status: cart.status, redirectUrl },
    retrieved: { id, status, amount: price.amount, currency: price.currency, meta },
    rejected: { status: rejected.response?.status ?? 0, code, paths: details.map(({ path }) => path) },
    unknown: { status: unknown.response?.status ?? 0, code: unknown.error?.code ?? '' },
    events: zEventList.parse(listed.data).events.map(describe),
  };
};

// The types reject what the service rejects.
// @ts-expect-error -- a return address is a string
export const withNumber: Pick<CreateCartCheckoutRequest, 'redirectURL'> = { redirectURL: 1 };
// @ts-expect-error -- the values of metadata are strings
export const withNumberInMeta: Pick<CreateCartCheckoutRequest, 'meta'> = { meta: { seats: 2 } };

// The type of a webhook selects its data.
export const fulfilledBy = ({ body }: Webhooks): string | undefined =>
  body.type === 'cart.completed' ? body.data.paymentId : undefined;
