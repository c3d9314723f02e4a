import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cartIdOf, createHttpClient } from '../../support/http-client.ts';
import { type ServiceProcess, startService, stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';

let service: ServiceProcess;

beforeAll(async () => {
  service = await startService();
});

afterAll(stopProcesses);

/** What a person does on the payment page, by a form. */
const act = (cartId: string, action: string): Promise<Response> =>
  fetch(`${service.baseUrl}/sandbox/checkout/${cartId}`, {
    method: 'POST',
    body: new URLSearchParams({ action }),
    redirect: 'manual',
  });

/** The events that the stage has told of a cart, once there are so many of them. */
const eventsOf = async (cartId: string, count: number): Promise<unknown[]> => {
  const told = () =>
    service
      .stderr()
      .split('\n')
      .filter((line) => line.includes('cart.status_changed') && line.includes(cartId))
      .map((line) => JSON.parse(line) as unknown);
  await expect.poll(told, { timeout: 10_000 }).toHaveLength(count);
  return told();
};

describe('the local stage', () => {
  it('tells each change of a status as the event bus of a deployed one does, and nothing else', async () => {
    const [store] = service.stores;
    const answer = await createHttpClient(service.baseUrl).createCart(cartBody('one-course'), {
      apiKey: store?.apiKey,
    });
    const cartId = cartIdOf(answer);
    for (const action of ['leave', 'wrong_amount', 'decline', 'decline', 'pay', 'pay', 'decline']) {
      expect((await act(cartId, action)).status, action).toBe(303);
    }
    const common = {
      cartId,
      storeId: store?.id,
      mode: 'test',
      paymentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    };
    const event = (from: string, to: string) => ({
      source: 'cart-checkout',
      'detail-type': 'cart.status_changed',
      detail: { ...common, from, to },
    });
    expect(await eventsOf(cartId, 2)).toStrictEqual([
      event('waiting_payment', 'payment_failed'),
      event('payment_failed', 'completed'),
    ]);
  });
});
