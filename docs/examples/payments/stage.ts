// SPDX-License-Identifier: MIT-0
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { AdapterOptions } from './adapter.ts';
import type { PaymentCart } from './cart.ts';
import type { PaymentEvent } from './payment-event.ts';
import { signedHeaders } from './signed-request.ts';

/** The part of a stage that the adapter needs: it reads carts, and sends payment events. */
export type Stage = Pick<AdapterOptions, 'readCart' | 'sendPaymentEvent'>;

type Headers = (url: URL) => Promise<Record<string, string>>;

/** Reads carts. Throws unless the response is 200 or 404. */
const cartReader =
  (baseUrl: string, headersOf: Headers): Stage['readCart'] =>
  async (cartId) => {
    const url = new URL(`${baseUrl}/internal/v1/carts/${cartId}`);
    const response = await fetch(url, {
      headers: await headersOf(url),
      signal: AbortSignal.timeout(10_000),
    });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`The read of a cart returned ${response.status}`);
    return (await response.json()) as PaymentCart;
  };

/**
 * A stage in AWS. The credentials are those of `-c paymentRoleArn=`, from the environment.
 *
 * @param eventBusName the stack's output `EventBusName`, or the bus's ARN from another account
 */
export const deployedStage = (baseUrl: string, eventBusName: string, source = 'payments'): Stage => {
  const eventBridge = new EventBridgeClient({});
  const sign: Headers = async (url) => {
    const [region, credentials] = await Promise.all([
      eventBridge.config.region(),
      eventBridge.config.credentials(),
    ]);
    return signedHeaders(url, credentials, { region, service: 'execute-api', now: new Date() });
  };
  return {
    readCart: cartReader(baseUrl, sign),
    sendPaymentEvent: async ({ detailType, detail }) => {
      const entry = {
        EventBusName: eventBusName,
        Source: source,
        DetailType: detailType,
        Detail: JSON.stringify(detail),
      };
      const { FailedEntryCount } = await eventBridge.send(new PutEventsCommand({ Entries: [entry] }));
      // The call itself succeeds even if the bus stores nothing.
      if (FailedEntryCount !== 0) throw new Error('The event bus did not store the event');
    },
  };
};

/** The flags of `operate -- payments send` for an event. */
const flagsOf = ({ detailType, detail }: PaymentEvent): string[] => [
  ...Object.entries({
    cart: detail.cartId,
    result: detailType.replace('payment.', ''),
    amount: String(detail.amount),
    'provider-id': 'refundId' in detail ? detail.refundId : detail.eventId,
    'payment-id': detail.paymentId,
    'occurred-at': detail.occurredAt,
  }).flatMap(([name, value]) => [`--${name}`, value]),
  // The money has moved already.
  ...('refundId' in detail ? ['--exceed'] : []),
];

/**
 * The local stage. It puts the event on the stage's bus with `operate -- payments send`, which rejects an event that would
 * become a dead letter.
 *
 * @param flags further flags, such as `--dynamodb URL`
 */
export const localStage = (baseUrl: string, flags: readonly string[] = []): Stage => ({
  readCart: cartReader(baseUrl, () => Promise.resolve({})),
  sendPaymentEvent: async (event) => {
    const args = ['run', '-s', 'operate', '--', 'payments', 'send', ...flagsOf(event), '--yes', ...flags];
    await promisify(execFile)('npm', args);
  },
});
