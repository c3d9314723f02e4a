import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../../infra/operate/shared/until.ts';
import { OperatorError } from '../../../../infra/terminal/operator-error.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/http/webhook-receiver.ts';
import type { Fault } from '../fault.ts';
import { type GameStage, STORE } from '../stage.ts';

const WAIT_SECONDS = 60;

/** The ids of the carts in the webhooks that a receiver got, from one of them on. */
const receivedCarts = ({ received }: WebhookReceiver, first = 0): readonly string[] =>
  received
    .slice(first)
    .map(({ body }) => (JSON.parse(body) as { readonly data?: { readonly id?: string } }).data?.id ?? '');

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly state: string;
}

const createEndpoint = (stage: GameStage, url: string) =>
  stage.operate<Endpoint>('webhooks', 'create', '--store', STORE, '--mode', 'live', '--url', url, '--yes');

const endpointsOf = async (stage: GameStage): Promise<readonly Endpoint[]> =>
  (await stage.operate<{ webhooks: Endpoint[] }>('webhooks', 'list', '--store', STORE)).webhooks;

/** The merchant's server has a new address. The stage still sends to the old one. */
export const movedReceiver: Fault = async (stage, cleanUp) => {
  const sinceTime = new Date().toISOString();
  const oldServer = await startWebhookReceiver();
  const newServer = await startWebhookReceiver();
  cleanUp.defer(() => newServer.close());
  const { id } = await createEndpoint(stage, oldServer.url);
  const apiKey = await stage.issueKey();
  await oldServer.close();
  const orders = [await stage.paidOrder(apiKey), await stage.paidOrder(apiKey)];
  return {
    section: 'FailingDeliveries',
    report: [
      'An hour ago, we moved our shop to a new server. Since then, it does not hear of paid orders.',
      `It listens at ${newServer.url} now. It needs all orders since the move, such as:`,
      ...orders,
    ],
    isMended: async () => {
      const received = receivedCarts(newServer);
      if (!orders.every((cartId) => received.includes(cartId))) return false;
      return (await endpointsOf(stage)).every(({ url }) => url !== oldServer.url);
    },
    mend: async () => {
      const created = await createEndpoint(stage, newServer.url);
      await stage.operate('webhooks', 'replay', created.id, '--since', sinceTime, '--yes');
      await stage.operate('webhooks', 'remove', id, '--yes');
    },
  };
};

/** The merchant's server responded 410 for a while. The stage has disabled its endpoint. */
export const disabledEndpoint: Fault = async (stage, cleanUp) => {
  const server = await startWebhookReceiver();
  cleanUp.defer(() => server.close());
  const { id } = await createEndpoint(stage, server.url);
  const apiKey = await stage.issueKey();
  server.respond(410);
  const first = await stage.paidOrder(apiKey);
  const isEnabled = async (): Promise<boolean> =>
    (await endpointsOf(stage)).some((endpoint) => endpoint.id === id && endpoint.state === 'enabled');
  const isDisabled = await until({ sleep }, WAIT_SECONDS, async () =>
    (await isEnabled()) ? undefined : true,
  );
  if (!isDisabled) throw new OperatorError(`No disabled endpoint within ${WAIT_SECONDS} s.`);
  const orders = [first, await stage.paidOrder(apiKey)];
  server.respond(204);
  const before = server.received.length;
  return {
    section: 'DisabledEndpoints',
    report: [
      'Our shop was in maintenance for some minutes. It works again, but your webhooks have stopped.',
      'Our customers wait for these orders, which they have paid:',
      ...orders,
    ],
    isMended: async () => {
      const received = receivedCarts(server, before);
      return orders.every((cartId) => received.includes(cartId)) && isEnabled();
    },
    mend: async () => {
      const enable = ['webhooks', 'enable', id, '--yes'];
      const { missedSince } = await stage.operate<{ missedSince: string }>(...enable);
      await stage.operate('webhooks', 'replay', id, '--since', missedSince, '--yes');
    },
  };
};
