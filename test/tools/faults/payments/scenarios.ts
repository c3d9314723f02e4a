import { setTimeout } from 'node:timers/promises';
import { freezeDatabase, killDatabase, killStage, type Injection } from '../environment/injections.ts';
import type { PaymentsEnvironment } from './environment.ts';

/** Payments with a fault. */
export interface PaymentsScenario {
  readonly name: string;
  readonly inject?: Injection<PaymentsEnvironment>;
}

/** Longer than the lease of an attempt. */
const FROZEN_STAGE_MS = 17_000;

const freezeStage: Injection<PaymentsEnvironment> = async ({ stages: [frozen] }) => {
  frozen?.child.kill('SIGSTOP');
  await setTimeout(FROZEN_STAGE_MS);
  frozen?.child.kill('SIGCONT');
};

const killReceiver: Injection<PaymentsEnvironment> = async ({ receiver }) => {
  await receiver.close();
  await setTimeout(3_000);
  await receiver.reopen();
};

/** Faults of processes. The tests of `lib` lose single responses of the database and of receivers. */
export const PAYMENTS_SCENARIOS: readonly PaymentsScenario[] = [
  { name: 'payments without a fault' },
  { name: 'payments, database killed', inject: killDatabase },
  { name: 'payments, database frozen for 5 s', inject: freezeDatabase },
  { name: 'payments, service process 0 killed', inject: killStage(0) },
  { name: 'payments, service process 1 killed', inject: killStage(1) },
  { name: 'payments, service process 0 frozen for 17 s', inject: freezeStage },
  { name: 'payments, receiver killed', inject: killReceiver },
];
