import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localClientConfig } from '../../../../infra/local-access/local-names.ts';
import { createDocumentClient } from '../../../../lib/aws/clients.ts';
import { startDynamodbProxy } from '../../../support/database/dynamodb-proxy.ts';
import { type ServiceProcess, startService, stopProcesses } from '../../../support/programs/processes.ts';
import { createDatabaseProcess } from './database-process.ts';

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

const STAGES = 2;

/** A file in memory outlives a killed process and needs no disk. */
const IN_MEMORY = '/dev/shm';

/**
 * Starts two service processes on one database, with a network between them that can fail. `cleanUp` ends the processes
 * and removes their folder.
 *
 * @param program the file of the service's program
 * @param variablesOf the variables of a process that starts now, by its index
 */
export const startEnvironment = async (
  cleanUp: AsyncDisposableStack,
  program?: string,
  variablesOf?: (stage: number) => Record<string, string>,
) => {
  const folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'cart-checkout-faults-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await createDatabaseProcess(join(folder, 'dynamodb.sqlite'));
  cleanUp.defer(() => database.kill());
  await database.start();
  const network = await startDynamodbProxy(database.endpoint, { records: false });
  cleanUp.defer(() => network.close());
  const documents = createDocumentClient(localClientConfig(database.endpoint));
  cleanUp.defer(() => documents.destroy());
  cleanUp.defer(stopProcesses);
  const start = (stage: number, port = '0'): Promise<ServiceProcess> =>
    startService(['--dynamodb', network.endpoint, '--port', port], program, variablesOf?.(stage));
  const stages: ServiceProcess[] = [];
  // In sequence, because each creates the tables that are missing.
  while (stages.length < STAGES) stages.push(await start(stages.length));
  const baseUrls = stages.map(({ baseUrl }) => baseUrl);

  return {
    database,
    network,
    /** A client that bypasses the network. */
    documents,
    /** The running service processes. */
    stages: stages as readonly ServiceProcess[],
    /** The address of each service process. A restart keeps it. */
    baseUrls,
    /** Ends a service process as a crash does. */
    killStage: async (stage: number): Promise<void> => {
      const { child, ended } = stages[stage]!;
      child.kill('SIGKILL');
      await ended;
    },
    /** Restarts a service process and waits until it is ready. */
    restartStage: async (stage: number): Promise<void> => {
      stages[stage] = await start(stage, new URL(baseUrls[stage]!).port);
    },
  };
};
