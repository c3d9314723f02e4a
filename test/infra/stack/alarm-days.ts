import { HTTP_FUNCTION_NAMES } from '../../../functions/function-needs.ts';
import { logNameOfFunction } from '../../../functions/operations.ts';
import { pascalCase } from '../../../lib/core/letter-case.ts';
import {
  type LogLine,
  Metrics,
  metricKey,
  putInvocations,
  putLines,
  putQueue,
} from '../../support/cloudwatch/stored-metrics.ts';
import { type FunctionLines, VERSION } from './alarm-lines.ts';

/** The functions behind aliases, by their resource, with their names in the log. */
export const API_FUNCTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  HTTP_FUNCTION_NAMES.map((name) => [pascalCase(name), logNameOfFunction(name)]),
);

export const DAY_MINUTES = 1_440;

/** A stage, and the metrics that it has sent. */
export class Stage {
  readonly metrics = new Metrics();
  readonly name: string;
  readonly lines: FunctionLines;
  readonly #gateway: Readonly<Record<'5XXError' | 'Latency', string>>;

  constructor(name: string, lines: FunctionLines) {
    this.name = name;
    this.lines = lines;
    const dimensions = {
      ApiName: `cart-checkout-${name}`,
      Stage: `GatewayApiDeploymentStage${name.replace('-', '')}`,
    };
    const keyOf = (metric: string) => metricKey('AWS/ApiGateway', metric, dimensions);
    this.#gateway = { '5XXError': keyOf('5XXError'), Latency: keyOf('Latency') };
  }

  write(minute: number, lines: readonly LogLine[], times = 1): void {
    putLines(this.metrics, minute, lines, { stage: this.name, times });
  }

  /** Responses of the gateway. */
  respond(minute: number, count: number, { failed = 0, ms = 50 } = {}): void {
    this.metrics.put(this.#gateway['5XXError'], minute, 1, failed);
    this.metrics.put(this.#gateway['5XXError'], minute, 0, count - failed);
    this.metrics.put(this.#gateway.Latency, minute, ms, count);
  }

  /** Invocations of an API function, of which the new version gets all. */
  invoke(
    minute: number,
    name: keyof typeof API_FUNCTIONS,
    counts: { invocations?: number; errors?: number },
  ): void {
    putInvocations(this.metrics, minute, name, counts);
    const ofVersion = { Resource: `${name}:live`, ExecutedVersion: VERSION };
    putInvocations(this.metrics, minute, name, counts, ofVersion);
  }

  run(minute: number, name: string, errors = 0, invocations = 1): void {
    putInvocations(this.metrics, minute, name, { invocations, errors });
  }

  queue(minute: number, name: string, values: Parameters<typeof putQueue>[3], activeFrom?: number): void {
    putQueue(this.metrics, minute, name, values, activeFrom);
  }

  /** The write units of events. */
  consume(minute: number, events: number): void {
    const key = metricKey('AWS/DynamoDB', 'ConsumedWriteCapacityUnits', { TableName: 'DatabaseEvents' });
    this.metrics.put(key, minute, 10, events);
  }

  /** The age of the oldest record that the fan-out has not handled. An idle event source sends none. */
  iterator(minute: number, ageMs: number): void {
    this.metrics.put(metricKey('AWS/Lambda', 'IteratorAge', { FunctionName: 'FanOutEvents' }), minute, ageMs);
  }

  /** Events of the log, which the fan-out gets a minute later at the latest. */
  log(minute: number, events: number, delayMinutes: number): void {
    this.consume(minute, events);
    this.run(minute + delayMinutes, 'FanOutEvents');
    this.iterator(minute + delayMinutes, 900);
  }

  /** Carts that are created and retrieved three times. */
  carts(minute: number, count: number): void {
    this.write(minute, this.lines.created, count);
    this.write(minute, this.lines.retrieved, 3 * count);
    this.invoke(minute, 'CreateCartCheckout', { invocations: count });
    this.invoke(minute, 'GetCart', { invocations: 3 * count });
    this.respond(minute, 4 * count);
  }

  /** Carts that are paid, and whose webhook is delivered. */
  payments(minute: number, count: number): void {
    this.write(minute, this.lines.completed, count);
    this.write(minute, this.lines.delivered, count);
    this.run(minute, 'RecordPayment', 0, count);
    this.run(minute, 'DeliverWebhooks', 0, count);
    for (const name of ['PaymentsQueue', 'WebhooksQueue', 'WebhooksSlowQueue'])
      this.queue(minute, name, { ApproximateAgeOfOldestMessage: 2, ApproximateNumberOfMessagesVisible: 1 });
    this.log(minute, count, minute % 2);
  }

  /** Runs the timers and the canary, as every stage does each minute. The canary makes two requests. */
  tick(minute: number): void {
    this.run(minute, 'RunTimers');
    this.run(minute, 'Canary');
    this.invoke(minute, 'CreateCartCheckout', { invocations: 1 });
    this.invoke(minute, 'GetCart', { invocations: 1 });
    this.respond(minute, 2);
  }
}

/** Adds the minutes from `from` to before `to`. */
export type Part = (stage: Stage, from: number, to: number) => void;

const eachMinute =
  (add: (stage: Stage, minute: number) => void): Part =>
  (stage, from, to) => {
    for (let minute = from; minute < to; minute += 1) add(stage, minute);
  };

/** Nobody calls the stage. */
export const quietDay = eachMinute((stage, minute) => stage.tick(minute));

/** A merchant every three hours. Once a day, each of the troubles that end by themselves. */
export const quietStage = eachMinute((stage, minute) => {
  stage.tick(minute);
  if (minute % 180 === 0) stage.carts(minute, 1);
  if (minute % 180 === 4) stage.payments(minute, 1);
  if (minute % 720 === 5) stage.write(minute, stage.lines.rejected);
  const troubles: Readonly<Record<number, () => void>> = {
    100: () => stage.write(minute, stage.lines.undelivered),
    105: () => stage.write(minute, stage.lines.undelivered),
    200: () => stage.write(minute, stage.lines.deliveryInterrupted),
    300: () => stage.write(minute, stage.lines.paymentInterrupted),
    400: () => stage.run(minute, 'RecordPayment', 1),
    500: () => stage.run(minute, 'DeliverWebhooks', 1),
    600: () => stage.run(minute, 'FanOutEvents', 1),
    700: () => stage.run(minute, 'RunTimers', 1),
    800: () => stage.run(minute, 'Canary', 1),
    900: () => stage.write(minute, stage.lines.throttled),
    1_000: () => stage.write(minute, stage.lines.somewhatLate),
    1_100: () => stage.write(minute, stage.lines.timerFailed),
    1_116: () => stage.write(minute, stage.lines.timerFailed),
  };
  troubles[minute % DAY_MINUTES]?.();
});

/** A disturbance of four minutes, twice a day. */
const isDisturbed = (minute: number): boolean => minute % 700 >= 400 && minute % 700 < 404;

/** 800 requests a second and 60 payments a minute, of which some fail all the time, as on any day. */
export const busyDay = eachMinute((stage, minute) => {
  const { lines } = stage;
  stage.tick(minute);
  stage.carts(minute, 200);
  stage.payments(minute, 60);
  stage.write(minute, lines.rejected, 40);
  stage.write(minute, lines.rejectedInTestMode, 400);
  stage.write(minute, lines.undelivered, 12);
  stage.write(minute, lines.throttled, 10);
  if (minute % 10 === 0) stage.write(minute, lines.failed['createCartCheckout']!);
  stage.respond(minute, 10, { failed: minute % 10 === 0 ? 1 : 0, ms: 1_500 });
  if (!isDisturbed(minute)) return;
  stage.write(minute, lines.deliveryInterrupted, 50);
  stage.write(minute, lines.paymentInterrupted, 5);
  stage.write(minute, lines.somewhatLate, 20);
  for (const name of ['RecordPayment', 'DeliverWebhooks', 'FanOutEvents']) stage.run(minute, name, 3, 3);
});

/** The quietest hour of a stage that expects 600 live requests an hour, with a lull of 25 minutes. */
export const expectedDay = eachMinute((stage, minute) => {
  stage.tick(minute);
  if (minute % 60 < 25) {
    if (minute % 5 !== 0) return;
    stage.carts(minute, 1);
    stage.payments(minute, 1);
    return;
  }
  stage.carts(minute, 4);
  stage.payments(minute, 1);
});
