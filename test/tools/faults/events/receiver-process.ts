import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, type RunningProcess } from '../../../support/processes.ts';
import type { Received, ReceiverFault } from './received.ts';

const PROGRAM = 'test/tools/faults/events/receiver.ts';

/** Prepares a receiver that can be killed, frozen, slowed and restarted at the same address. */
export const createReceiverProcess = async (folder: string) => {
  const file = join(folder, 'received.jsonl');
  writeFileSync(file, '');
  let running: RunningProcess = run(PROGRAM, [file]);
  const port = await running.firstLine;
  return {
    urlOf: (endpointId: string): string => `http://127.0.0.1:${port}/${endpointId}`,
    start: async (): Promise<void> => {
      running = run(PROGRAM, [file, port]);
      await running.firstLine;
    },
    kill: async (): Promise<void> => {
      running.child.kill('SIGKILL');
      await running.ended;
    },
    freeze: (): void => void running.child.kill('SIGSTOP'),
    thaw: (): void => void running.child.kill('SIGCONT'),
    setFault: async (fault: ReceiverFault): Promise<void> => {
      const isSet = once(running.child, 'message');
      running.child.send(fault);
      await isSet;
    },
    /** All deliveries so far. A killed receiver may have cut the last line. */
    received: (): readonly Received[] =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as Received),
  };
};

export type ReceiverProcess = Awaited<ReturnType<typeof createReceiverProcess>>;
