import { setTimeout } from 'node:timers/promises';
import { frozenDatabase, killedDatabase, killedStage, type Strike } from '../world/strikes.ts';
import type { PaymentsWorld } from './world.ts';

/** Payments with a fault. */
export interface PaymentsScenario {
  readonly name: string;
  readonly strike?: Strike<PaymentsWorld>;
}

/** Longer than the lease of an attempt. */
const FROZEN_STAGE_MS = 17_000;

const frozenStage: Strike<PaymentsWorld> = async ({ stages: [frozen] }) => {
  frozen?.child.kill('SIGSTOP');
  await setTimeout(FROZEN_STAGE_MS);
  frozen?.child.kill('SIGCONT');
};

const killedReceiver: Strike<PaymentsWorld> = async ({ receiver }) => {
  await receiver.close();
  await setTimeout(3_000);
  await receiver.reopen();
};

/** Faults of processes. The tests of `lib` lose single responses of the database and of receivers. */
export const PAYMENTS_SCENARIOS: readonly PaymentsScenario[] = [
  { name: 'payments without a fault' },
  { name: 'payments, database killed', strike: killedDatabase },
  { name: 'payments, database frozen for 5 s', strike: frozenDatabase },
  { name: 'payments, service process 0 killed', strike: killedStage(0) },
  { name: 'payments, service process 1 killed', strike: killedStage(1) },
  { name: 'payments, service process 0 frozen for 17 s', strike: frozenStage },
  { name: 'payments, receiver killed', strike: killedReceiver },
];
