import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { createEndpointSink } from '../../../lib/deliveries/queue/endpoint-sink.ts';
import { isDeliveryMessage } from '../../../lib/deliveries/queue/queue-message.ts';
import { createBusSink } from '../../../lib/events/bus-sink.ts';
import { createEventBus } from '../../../lib/events/bus.ts';
import { fanOut } from '../../../lib/events/fan-out.ts';
import { type LoggedEvent, parseLogKey } from '../../../lib/events/logged-event.ts';
import { previewPayment } from '../../../lib/operators/preview-payment.ts';
import { parsePaymentEvent } from '../../../lib/payments/payment-event.ts';
import { findStoreName } from '../../../lib/stores/store-name.ts';
import type { DeadLetterQueueName } from '../../stage/queues.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Context } from '../frame/context.ts';
import { describeAmount } from '../shared/describe-price.ts';
import { clientConfigOf, createSqs, deliveryQueueOf, queueUrlOf } from '../target/queues.ts';
import { outputOf } from '../target/stage.ts';
import type { LETTER_REJECTIONS, REDRIVABLE } from './commands.ts';

/** The subject of a dead letter, and the outcome of a redrive. */
export interface Examination {
  /** The outcome of a redrive, or the reason of a rejection. */
  readonly verdict: (typeof LETTER_REJECTIONS | typeof REDRIVABLE)[number];
  /** The subject, for people. Absent if the letter cannot be read. */
  readonly subject?: string;
  /** The subject, for `--json`. */
  readonly fields?: object;
  /**
   * Sends the letter to the service again. Absent if the service would reject it. The caller deletes the letter afterwards,
   * so it may arrive twice, but it is never lost.
   *
   * @returns whether the service accepts it
   */
  readonly redrive?: (() => Promise<boolean>) | undefined;
}

type Examine = (body: string, context: Context) => Promise<Examination>;

/** Events about payments and refunds that could not be recorded. A redrive sends them to the payments queue. */
const examinePayment: Examine = async (body, context) => {
  const parsed = parsePaymentEvent(body, context.now());
  const preview = parsed.ok
    ? await previewPayment(parsed.event, context.repositories.payments[parsed.event.mode])
    : ({ outcome: 'rejected', reason: parsed.reason } as const);
  const isAccepted = preview.outcome !== 'rejected';
  const verdict = isAccepted ? preview.outcome : preview.reason;
  const { event } = parsed;
  if (!event) return { verdict };
  const { cartId } = event;
  const { paymentId, amount, currency } = event.payment ?? event.refund;
  const result = event.payment?.result ?? 'refunded';
  const redrive = async (): Promise<true> => {
    const QueueUrl = queueUrlOf(context.stage, 'payments');
    await createSqs(context.stage).send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
    return true;
  };
  return {
    verdict,
    subject: `cart ${cartId}, payment ${paymentId} ${result}, ${describeAmount({ amount, currency })}`,
    fields: { payment: { cartId, paymentId, result, amount, currency } },
    redrive: isAccepted ? redrive : undefined,
  };
};

/** Webhook deliveries that the function of the stage could not handle. A redrive sends them to the slow queue of their mode. */
const examineDelivery: Examine = async (body, context) => {
  const message = parseJson(body);
  if (!isDeliveryMessage(message)) return { verdict: 'malformed' };
  const { endpoint, eventId } = message;
  const found = await context.repositories.endpoints.find(endpoint);
  const isAccepted = found !== undefined && !found.disabled;
  const redrive = async (): Promise<true> => {
    await deliveryQueueOf(context).send([message]);
    return true;
  };
  return {
    verdict: isAccepted ? 'delivered' : found ? 'endpointDisabled' : 'endpointRemoved',
    subject: `event ${eventId} to ${endpoint.endpointId} of ${endpoint.storeId}, ${endpoint.mode} mode`,
    fields: { delivery: { ...endpoint, eventId } },
    redrive: isAccepted ? redrive : undefined,
  };
};

/** A dead letter of an event: the key of its item in the event log. */
const eventLetterSchema = z.object({ log: z.string(), sequence: z.int() });

/** Sends an event to the bus and the delivery queue again. Returns whether both accept it. */
const sendEvent = async (event: LoggedEvent, context: Context): Promise<boolean> => {
  const { stage, repositories, pauses } = context;
  const bus = createEventBus(
    new EventBridgeClient(clientConfigOf(stage)),
    outputOf(stage, 'EventBusName'),
    pauses,
  );
  const { rejected, outage } = await fanOut(
    [event],
    [
      createBusSink(bus, (storeId) => findStoreName(repositories.stores, storeId)),
      createEndpointSink(deliveryQueueOf(context), (log) => repositories.endpoints.listOf(log)),
    ],
  );
  if (outage === undefined) return rejected.length === 0;
  throw new OperatorError(
    'DynamoDB, the event bus or the delivery queue is unavailable: redrive again later.',
  );
};

/** Events that could not be fanned out. A redrive reads the event log, and sends the event again. */
const examineEvent: Examine = async (body, context) => {
  const { data: key } = eventLetterSchema.safeParse(parseJson(body));
  if (!key) return { verdict: 'malformed' };
  const event = await context.repositories.events.find(parseLogKey(key.log), key.sequence, context.now());
  if (!event) return { verdict: 'eventDeleted' };
  const { id, type, storeId, mode, cartId } = event;
  return {
    verdict: 'sent',
    subject: `event ${id} ${type} of ${storeId}, ${mode} mode`,
    fields: { event: { id, type, storeId, mode, cartId } },
    redrive: () => sendEvent(event, context),
  };
};

/** DynamoDB rejects the keys of a letter that no function wrote, such as one of 3,000 characters. It must not hide the other letters. */
const orMalformed =
  (examine: Examine): Examine =>
  (body, context) =>
    examine(body, context).catch((error: Error) => {
      if (error.name !== 'ValidationException') throw error;
      return { verdict: 'malformed' };
    });

/** The function that examines the letters of each queue. */
export const EXAMINERS: Readonly<Record<DeadLetterQueueName, Examine>> = {
  paymentDeadLetter: examinePayment,
  eventDeadLetter: orMalformed(examineEvent),
  deliveryDeadLetter: orMalformed(examineDelivery),
};
