import type { Action } from '../../../functions/sandbox-checkout/actions.ts';

/**
 * Submits an action on the sandbox page of a cart.
 *
 * @throws Error if the page does not perform it
 */
export const submitAction = async (baseUrl: string, cartId: string, action: Action): Promise<void> => {
  const body = new URLSearchParams({ action });
  const address = `${baseUrl}/sandbox/checkout/${cartId}`;
  const response = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  // Its connection can then serve another request.
  await response.arrayBuffer();
  if (response.status !== 303) throw new Error(`The sandbox page responds ${response.status} to ${action}`);
};
