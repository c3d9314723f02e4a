import { createApiClient, schemas } from '../generated/openapi-zod-client/client';
import type { z } from '../generated/openapi-zod-client/node_modules/zod';
import { UNKNOWN_CART, type VisitStage } from '../support/visit';

/** Its schemas have no literal types. */
const describe = (event: z.infer<typeof schemas.Event>): string =>
  event.type === 'cart.duplicate_payment' ? `refund ${String(event.data['duplicatePaymentId'])}` : event.type;

/** The response of a rejected call. */
const rejectionOf = async (call: Promise<unknown>): Promise<{ status: number; data: unknown }> => {
  try {
    await call;
  } catch (error) {
    return (error as { response: { status: number; data: unknown } }).response;
  }
  throw new Error('The stage accepts a request that it should reject');
};

export const visitStage: VisitStage = async ({ baseUrl, apiKey, buyer }) => {
  // Validates responses alone: this program also sends a request that the schemas reject.
  const api = createApiClient(baseUrl, {
    validate: 'response',
    axiosConfig: { headers: { Authorization: `Bearer ${apiKey}` } },
  });
  const { cart, redirectUrl } = await api.createCartCheckout({ ...buyer });
  const { id, status, price, meta } = await api.getCart({ params: { cartId: cart.id } });
  const rejected = await rejectionOf(api.createCartCheckout({ ...buyer, email: 'ada' }));
  const { code, details = [] } = schemas.ValidationErrorResponse.parse(rejected.data);
  const unknown = await rejectionOf(api.getCart({ params: { cartId: UNKNOWN_CART } }));
  const listed = await api.listEvents({ queries: { limit: 10 } });
  return {
    created: { id: cart.id, status: cart.status, redirectUrl },
    retrieved: { id, status, amount: price.amount, currency: price.currency, meta },
    rejected: { status: rejected.status, code, paths: details.map(({ path }) => path) },
    unknown: { status: unknown.status, code: schemas.ErrorResponse.parse(unknown.data).code },
    events: listed.events.map(describe),
  };
};
