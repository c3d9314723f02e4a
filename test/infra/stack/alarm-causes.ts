import { failedDelaySeconds } from '../../../lib/deliveries/sending/schedule.ts';
import { outageDelaySeconds } from '../../../lib/payments/payment-retries.ts';
import type { LogLine } from '../../support/cloudwatch/stored-metrics.ts';
import { API_FUNCTIONS, type Part, quietDay, type Stage } from './alarm-days.ts';

/** The cause of an alarm, on a stage that is quiet otherwise. */
interface Cause {
  readonly cause: string;
  readonly add: Part;
  /** The stage beside the cause. Default: it is quiet */
  readonly beside?: Part;
}

const eachMinute =
  (add: (stage: Stage, minute: number, since: number) => void): Part =>
  (stage, from, to) => {
    for (let minute = from; minute < to; minute += 1) add(stage, minute, minute - from);
  };

const once =
  (linesOf: (stage: Stage) => readonly LogLine[]): Part =>
  (stage, from) =>
    stage.write(from, linesOf(stage));

const everyMinute = (times: number, linesOf: (stage: Stage) => readonly LogLine[]): Part =>
  eachMinute((stage, minute) => stage.write(minute, linesOf(stage), times));

/** A message that returns again and again, each time after the delay that the function asks for. */
const returning =
  (delaySeconds: (receiveCount: number) => number, linesOf: (stage: Stage) => readonly LogLine[]): Part =>
  (stage, from, to) => {
    let seconds = 60 * from;
    for (let receive = 1; seconds < 60 * to; receive += 1) {
      stage.write(Math.floor(seconds / 60), linesOf(stage));
      seconds += delaySeconds(receive);
    }
  };

/** A function that crashes each time that the visibility timeout returns its message. */
const crashing =
  (name: string, everySeconds: number): Part =>
  (stage, from, to) => {
    for (let seconds = 60 * from; seconds < 60 * to; seconds += everySeconds)
      stage.run(Math.floor(seconds / 60), name, 1);
  };

/** A letter in a dead-letter queue that was empty for hours: its metrics are late. An operator lists it in some hours. */
const deadLetter =
  (name: string): Part =>
  (stage, from, to) => {
    const isListed = (minute: number): boolean =>
      [1_000, 2_000, 3_000].includes(60 * Math.floor((minute - from) / 60) + 40);
    for (let minute = from; minute < to; minute += 1)
      if (!isListed(minute)) stage.queue(minute, name, { ApproximateNumberOfMessagesVisible: 1 }, from);
  };

const unread = (name: string): Part =>
  eachMinute((stage, minute, since) =>
    stage.queue(minute, name, {
      ApproximateAgeOfOldestMessage: 60 * (since + 1),
      ApproximateNumberOfMessagesVisible: 1,
    }),
  );

/** All that runs every minute, but for one function. */
const without = (name: string): Part =>
  eachMinute((stage, minute) => {
    stage.respond(minute, 2);
    for (const each of ['RunTimers', 'Canary']) if (each !== name) stage.run(minute, each);
  });

/** A hundred requests a minute, of which five fail. */
const failing = (name: string, operation: string = API_FUNCTIONS[name] ?? ''): Part =>
  eachMinute((stage, minute) => {
    stage.write(minute, stage.lines.failed[operation]!, 5);
    stage.invoke(minute, name, { invocations: 100 });
    if (operation === 'createCartCheckout') stage.write(minute, stage.lines.created, 95);
    if (operation === 'getCart') stage.write(minute, stage.lines.retrieved, 95);
  });

/** A hundred reads of the payment side a minute, of which five fail. */
const failingReads: Part = eachMinute((stage, minute) => {
  stage.write(minute, stage.lines.failed['getPaymentCart']!, 5);
  stage.write(minute, stage.lines.readByPaymentSide, 95);
  stage.invoke(minute, 'GetCart', { invocations: 1_000 });
});

const silent = (): void => undefined;

/** The cause of each alarm. */
export const CAUSES: Readonly<Record<string, Cause>> = {
  ServerErrors: {
    cause: 'the gateway sends 5xx for 5 percent of 100 requests a minute',
    add: eachMinute((stage, minute) => stage.respond(minute, 100, { failed: 5 })),
  },
  Latency: {
    cause: 'one response in 20 takes 5 s',
    add: eachMinute((stage, minute) => {
      stage.respond(minute, 95);
      stage.respond(minute, 5, { ms: 5_000 });
    }),
  },
  ThrottledKeys: {
    cause: 'DynamoDB throttles the key of 60 requests a minute',
    add: everyMinute(60, ({ lines }) => lines.throttled),
  },
  PaymentDeadLetters: {
    cause: 'a payment event becomes a dead letter',
    add: deadLetter('PaymentsDeadLetters'),
  },
  OldPaymentDeadLetters: {
    cause: 'nobody handles a dead letter, but lists it',
    add: deadLetter('PaymentsDeadLetters'),
  },
  WaitingPayments: { cause: 'the event source of RecordPayment is disabled', add: unread('PaymentsQueue') },
  InterruptedPayments: {
    cause: 'the database rejects the one payment of an outage',
    add: returning(outageDelaySeconds, ({ lines }) => lines.paymentInterrupted),
  },
  RecordPaymentErrors: {
    cause: 'RecordPayment crashes on the one payment',
    add: crashing('RecordPayment', 36),
  },
  DuplicatePayments: { cause: 'a second payment of a cart', add: once(({ lines }) => lines.duplicate) },
  AmountMismatches: { cause: 'a payment with a wrong amount', add: once(({ lines }) => lines.mismatched) },
  ExcessRefunds: { cause: 'a refund above the payment', add: once(({ lines }) => lines.excess) },
  EarlyRefunds: { cause: 'a refund has no payment after a day', add: once(({ lines }) => lines.early) },
  EventDeadLetters: {
    cause: 'an event of the fan-out becomes a dead letter',
    add: deadLetter('FanOutDeadLetters'),
  },
  FeedLag: {
    cause: 'the fan-out cannot send a batch',
    add: eachMinute((stage, minute, since) => stage.iterator(minute, 60_000 * (since + 1))),
  },
  FanOutEventsErrors: { cause: 'FanOutEvents crashes on a batch', add: crashing('FanOutEvents', 60) },
  FanOutAbsent: {
    cause: 'the event source of FanOutEvents is disabled, and one event comes',
    add: (stage, from) => stage.consume(from, 1),
  },
  RunTimersFailures: {
    cause: 'each run of RunTimers fails',
    add: crashing('RunTimers', 60),
    beside: without('RunTimers'),
  },
  TimerLag: { cause: 'a cart expires 20 minutes late', add: everyMinute(1, ({ lines }) => lines.timerLate) },
  RunTimersAbsent: { cause: 'RunTimers does not run', add: silent, beside: without('RunTimers') },
  FailingTimers: {
    cause: 'one item fails for ever: RunTimers tries it again after 16 minutes',
    add: returning(
      () => 16 * 60,
      ({ lines }) => lines.timerFailed,
    ),
  },
  ErasureLag: { cause: 'an erasure is two days late', add: everyMinute(1, ({ lines }) => lines.erasedLate) },
  DisabledEndpoints: { cause: 'a receiver responds with 410', add: once(({ lines }) => lines.gone) },
  WaitingDeliveries: {
    cause: 'the event source of the live queue of quick endpoints is disabled',
    add: unread('WebhooksQueue'),
  },
  WaitingSlowDeliveries: {
    cause: 'the event source of the live queue of slow endpoints is disabled',
    add: unread('WebhooksSlowQueue'),
  },
  LateDeliveries: {
    cause: 'a delivery is due for 700 s before its first receive',
    add: once(({ lines }) => lines.late),
  },
  InterruptedDeliveries: {
    cause: 'the database rejects the one delivery of an outage',
    add: returning(
      (receiveCount) => failedDelaySeconds(receiveCount, 0),
      ({ lines }) => lines.deliveryInterrupted,
    ),
  },
  DeliverWebhooksErrors: {
    cause: 'DeliverWebhooks crashes on the one delivery',
    add: crashing('DeliverWebhooks', 180),
  },
  DeliveryDeadLetters: { cause: 'a delivery becomes a dead letter', add: deadLetter('WebhooksDeadLetters') },
  CreateCartCheckoutFailures: {
    cause: '5 percent of 100 creations a minute fail',
    add: failing('CreateCartCheckout'),
  },
  GetCartFailures: { cause: '5 percent of 100 retrievals a minute fail', add: failing('GetCart') },
  ClientErrors: {
    cause: 'a third of 30 live requests a minute gets 4xx',
    add: eachMinute((stage, minute) => {
      stage.write(minute, stage.lines.rejected, 10);
      stage.write(minute, stage.lines.retrieved, 20);
    }),
  },
  FailingDeliveries: {
    cause: 'nine of ten attempts to deliver fail',
    add: eachMinute((stage, minute) => {
      stage.write(minute, stage.lines.undelivered, 9);
      stage.write(minute, stage.lines.delivered, 1);
    }),
  },
  CanaryFailures: {
    cause: 'each run of the canary fails',
    add: crashing('Canary', 60),
    beside: without('Canary'),
  },
  CanaryAbsent: { cause: 'the canary does not run', add: silent, beside: without('Canary') },
  NoRequests: { cause: 'no live request arrives', add: silent },
  NoCarts: {
    cause: 'merchants only retrieve carts',
    add: everyMinute(10, ({ lines }) => lines.retrieved),
  },
  NoPayments: { cause: 'no payment arrives', add: eachMinute((stage, minute) => stage.carts(minute, 3)) },
  ...Object.fromEntries(
    Object.keys(API_FUNCTIONS).map((name) => [
      `Rollout${name}Failures`,
      {
        cause: `the new version of ${name} fails 5 of 100 requests a minute`,
        add: failing(name),
        beside: silent,
      },
    ]),
  ),
  RolloutGetPaymentCartFailures: {
    cause: 'the new version fails 5 of 100 reads of the payment side a minute, beside 1,000 retrievals',
    add: failingReads,
    beside: silent,
  },
};

/** The stage before the cause, and beside it. */
export const besideOf = ({ beside = quietDay }: Cause): Part => beside;
