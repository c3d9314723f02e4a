import { deliverBatch, type MessageResult } from '../../../../lib/deliveries/deliver-batch.ts';
import type { DeliverDependencies } from '../../../../lib/deliveries/deliver-dependencies.ts';
import type { QueueMessage, QueueSendOptions } from '../../../../lib/deliveries/queue-message.ts';
import type { Lane } from '../../../../lib/deliveries/lanes.ts';
import { contendedDelaySeconds } from '../../../../lib/deliveries/schedule.ts';
import type { Simulation } from './simulation.ts';

const BATCH_SIZE = 10;

/** While so many messages are in flight, SQS delivers none. */
export const IN_FLIGHT_QUOTA = 120_000;

/** The time of a call to SQS. */
const CALL_MS = 10;

/** A standard queue of SQS and its event source, in simulated time. A batch has any messages. */
export class SimulatedQueue {
  readonly #simulation: Simulation;
  readonly #lane: Lane;
  readonly #concurrency: number;
  readonly #random: () => number;
  readonly #visible: QueueMessage[] = [];
  #invocations = 0;
  #inFlight = 0;
  inFlightMax = 0;
  invocationsMax = 0;
  dependencies: DeliverDependencies | undefined;

  constructor(simulation: Simulation, lane: Lane, concurrency: number, random: () => number) {
    this.#simulation = simulation;
    this.#lane = lane;
    this.#concurrency = concurrency;
    this.#random = random;
  }

  /** Stores messages, as `DeliveryQueue.send` does. */
  readonly send = async (
    messages: readonly QueueMessage[],
    { delaySeconds = 0 }: QueueSendOptions = {},
  ): Promise<void> => {
    await this.#simulation.sleep(CALL_MS);
    const show = (): void => {
      for (const message of messages) this.#visible.push(message);
      this.#poll();
    };
    if (delaySeconds === 0) show();
    else void this.#simulation.sleep(1_000 * delaySeconds).then(show);
  };

  #poll(): void {
    while (
      this.#visible.length > 0 &&
      this.#invocations < this.#concurrency &&
      this.#inFlight < IN_FLIGHT_QUOTA
    ) {
      const batch = Array.from({ length: Math.min(BATCH_SIZE, this.#visible.length) }, () => this.#take());
      this.#invocations += 1;
      this.#inFlight += batch.length;
      this.inFlightMax = Math.max(this.inFlightMax, this.#inFlight);
      this.invocationsMax = Math.max(this.invocationsMax, this.#invocations);
      void this.#invoke(batch);
    }
  }

  #take(): QueueMessage {
    const index = Math.floor(this.#random() * this.#visible.length);
    const message = this.#visible[index]!;
    const last = this.#visible.pop()!;
    if (index < this.#visible.length) this.#visible[index] = last;
    return message;
  }

  async #invoke(batch: readonly QueueMessage[]): Promise<void> {
    const startMs = this.#simulation.now();
    const mayStart = (): boolean => this.#simulation.now() - startMs < 15_000;
    const results = await deliverBatch(batch, this.dependencies!, { lane: this.#lane, mayStart });
    for (const [index, message] of batch.entries()) void this.#end(message, results[index]!);
    this.#invocations -= 1;
    this.#poll();
  }

  /** Deletes a message, or returns it. It stays in flight until it is visible again. */
  async #end(message: QueueMessage, result: MessageResult): Promise<void> {
    if (typeof result === 'object') throw result.error;
    if (result === 'contended') await this.#simulation.sleep(1_000 * contendedDelaySeconds(this.#random()));
    this.#inFlight -= 1;
    if (result !== 'contended') return;
    this.#visible.push(message);
    this.#poll();
  }
}
