import { setTimeout } from 'node:timers/promises';
import { isWrite } from '../../../support/database/consumed-units.ts';
import type { Fate, NetworkFault, RecordedCall } from '../../../support/database/dynamodb-proxy.ts';
import type { Environment } from './environment.ts';

/** Injects a fault, and removes its cause. The service must then recover by itself. */
export type Injection<In> = (environment: In) => Promise<void>;

export const killDatabase: Injection<Environment> = async ({ database, network }) => {
  await database.kill();
  network.reject();
  await setTimeout(1_500);
  await database.start();
  await network.accept();
};

export const freezeDatabase: Injection<Environment> = async ({ database }) => {
  database.freeze();
  await setTimeout(5_000);
  database.thaw();
};

export const failNetwork =
  (fault: NetworkFault, durationMs: number): Injection<Environment> =>
  async ({ network }) => {
    network.setFault(fault);
    await setTimeout(durationMs);
    network.setFault();
  };

/** These shares of the responses, from 0 to 1, fail. */
export const failing =
  ({ cut = 0, lost = 0, silent = 0 }: Partial<Record<Fate, number>>) =>
  (): Fate => {
    // Not by the seed: the number of calls depends on time.
    const drawn = Math.random();
    if (drawn < cut) return 'cut';
    if (drawn < cut + lost) return 'lost';
    return drawn < cut + lost + silent ? 'silent' : 'forwarded';
  };

/**
 * Loses the first response to one of ten writes, so each is repeated once. A write that recognises its own effect returns no
 * retry token to the SDK. With more losses, the SDK would stop retrying.
 */
export const repeatingWrites = (call: RecordedCall): Fate =>
  isWrite(call) && call.attempt === 1 && Math.random() < 0.1 ? 'lost' : 'forwarded';

export const killStage =
  (stage: number): Injection<Environment> =>
  async (environment) => {
    await environment.killStage(stage);
    await setTimeout(1_000);
    await environment.restartStage(stage);
  };
