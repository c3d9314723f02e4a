import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { OperatorError } from '../../../infra/terminal/operator-error.ts';
import { startService } from '../../support/programs/processes.ts';
import { hiddenDeadLetter } from './dead-letter-fault.ts';
import { deletedCarts } from './deleted-carts-fault.ts';
import type { Fault } from './fault.ts';
import { badRelease } from './release-fault.ts';
import { PRODUCT } from './stage.ts';
import { disabledEndpoint, movedReceiver } from './webhook-faults.ts';

const SMALL_LIMIT = { requests: 5, windowSeconds: 3_600 };

/** More than a refill of the small bucket allows. */
const ORDERS_IN_A_ROW = 2 * SMALL_LIMIT.requests;

/** The limit of the merchant's key is far too small. */
const smallLimit: Fault = async (stage) => {
  const { requests, windowSeconds } = SMALL_LIMIT;
  const apiKey = await stage.issueKey('--limit', String(requests), '--window', String(windowSeconds));
  for (let sent = 0; sent < 2 * requests; sent++) await stage.order(apiKey);
  let inARow = 0;
  return {
    section: 'ClientErrors',
    report: [
      'Our campaign began today. Most of our buyers see an error when they go to the checkout.',
      'Our log says that you respond with 429. We expect about one order each second.',
    ],
    isMended: async () => {
      const { status } = await stage.order(apiKey);
      inARow = status === 201 ? inARow + 1 : 0;
      return inARow >= ORDERS_IN_A_ROW;
    },
    mend: async () => {
      const { keys } = (await stage.operate('keys', 'list')) as {
        keys: { keyId: string; limit: number }[];
      };
      const keyId = keys.find(({ limit }) => limit === requests)?.keyId ?? '';
      await stage.operate('keys', 'set-limit', keyId, '--limit', '600', '--window', '60', '--yes');
    },
  };
};

/** Somebody has disabled the merchant's product. */
const disabledProduct: Fault = async (stage) => {
  const apiKey = await stage.issueKey();
  await stage.operate('products', 'disable', PRODUCT);
  await stage.order(apiKey);
  return {
    section: 'NoCarts',
    report: [
      `Since this morning, nobody can buy our product ${PRODUCT}. We have changed nothing, and still sell it.`,
      'The page in front of your payment page shows an error.',
    ],
    isMended: async () => (await stage.order(apiKey)).status === 201,
    mend: async () => {
      await stage.operate('products', 'enable', PRODUCT);
    },
  };
};

/** Starts a server that refunds payments, in place of the payment provider. */
const startRefundDesk = async (cleanUp: AsyncDisposableStack) => {
  const refunded = new Set<string>();
  const server = createServer(({ method, url = '' }, response) => {
    const paymentId = /^\/refunds\/([\w-]+)$/.exec(url)?.[1];
    if (method !== 'POST' || paymentId === undefined) {
      response.writeHead(404).end();
    } else {
      refunded.add(paymentId);
      response.end(`Refunded the payment ${paymentId}.\n`);
    }
  });
  const port = await listen(server, '127.0.0.1', 0);
  cleanUp.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return { refunded, url: `http://127.0.0.1:${port}/refunds` };
};

/** A buyer has paid a cart twice. */
const paidTwice: Fault = async (stage, cleanUp) => {
  const desk = await startRefundDesk(cleanUp);
  const cartId = await stage.paidOrder(await stage.issueKey());
  const second = randomUUID();
  const flags = ['--cart', cartId, '--result', 'succeeded', '--payment-id', second];
  await stage.operate('payments', 'send', ...flags, '--provider-id', 'second-window', '--yes');
  return {
    section: 'DuplicatePayments',
    report: [
      `Our customer's bank shows two charges for one order. Your id of it is ${cartId}.`,
      'She wants one of them back.',
      `(The payment side refunds a payment by: curl -X POST ${desk.url}/{paymentId})`,
    ],
    isMended: async () => {
      const wrong = [...desk.refunded].find((paymentId) => paymentId !== second);
      if (wrong !== undefined) throw new OperatorError(`The payment ${wrong} was no duplicate payment.`);
      if (!desk.refunded.has(second)) return false;
      const { timeline } = await stage.operate('carts', 'show', cartId);
      return (timeline as { refund?: { paymentId: string } }[]).some(
        ({ refund }) => refund?.paymentId === second,
      );
    },
    mend: async () => {
      const { duplicatePaymentIds } = await stage.operate('carts', 'show', cartId);
      const [paymentId = ''] = duplicatePaymentIds as string[];
      await fetch(`${desk.url}/${paymentId}`, { method: 'POST' });
      const refund = [
        '--result',
        'refunded',
        '--payment-id',
        paymentId,
        '--provider-id',
        'refund-1',
        '--yes',
      ];
      await stage.operate('payments', 'send', '--cart', cartId, ...refund);
    },
  };
};

/** The process of the stage is dead. */
const killedStage: Fault = async (stage) => {
  const apiKey = await stage.issueKey();
  const { cartId } = await stage.order(apiKey);
  await stage.kill();
  return {
    section: 'NoRequests',
    beforeRemoval:
      'Then end the stage by Ctrl-C in its terminal: you started it, on data that the game removes.',
    report: [
      'We cannot reach you at all. Every connection fails.',
      `The status of our last order, ${cartId}, must not be lost.`,
    ],
    isMended: async () => {
      return stage.getCart(cartId, apiKey).then(
        ({ status }) => status === 200,
        () => false,
      );
    },
    mend: async () => {
      await startService(['--data', stage.dataFile, '--port', new URL(stage.baseUrl).port]);
    },
  };
};

/** The faults by number. A name would give the player a hint. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  1: smallLimit,
  2: movedReceiver,
  3: paidTwice,
  4: disabledProduct,
  5: disabledEndpoint,
  6: killedStage,
  7: hiddenDeadLetter,
  8: deletedCarts,
  9: badRelease,
};
