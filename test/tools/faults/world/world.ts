import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scanPages } from '../../../../lib/core/dynamodb-pages.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local/local-database.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { createDocumentClient } from '../../../../lib/aws.ts';
import { type ServiceProcess, startService, stopProcesses } from '../../../support/processes.ts';
import { createDatabaseProcess } from './database-process.ts';
import { startFaultyProxy } from './faulty-proxy.ts';

export type World = Awaited<ReturnType<typeof startWorld>>;

const STAGES = 2;

/** A file in memory outlives a killed process and needs no disk. */
const IN_MEMORY = '/dev/shm';

const readCarts = async (dynamodbEndpoint: string): Promise<Cart[]> => {
  const documents = createDocumentClient(localClientConfig(dynamodbEndpoint));
  const carts: Cart[] = [];
  for (const TableName of [LOCAL_TABLE_NAMES.carts, LOCAL_TABLE_NAMES.testCarts]) {
    // The table has the claims of payments too.
    const scan = { TableName, ConsistentRead: true, FilterExpression: 'attribute_exists(storeId)' };
    for await (const { Items = [] } of scanPages(documents, scan)) carts.push(...(Items as Cart[]));
  }
  documents.destroy();
  return carts;
};

/**
 * Starts two service processes on one database, with a network between them that can fail. `cleanUp` ends the processes
 * and removes their folder.
 *
 * @param draw chooses the responses that the network loses
 * @param program the file of the service's program
 */
export const startWorld = async (cleanUp: AsyncDisposableStack, draw: () => number, program?: string) => {
  const folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'cart-checkout-faults-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await createDatabaseProcess(join(folder, 'dynamodb.sqlite'));
  cleanUp.defer(() => database.kill());
  await database.start();
  const network = await startFaultyProxy(database.port, draw);
  cleanUp.defer(() => network.close());
  cleanUp.defer(stopProcesses);
  const start = (port = '0', env?: Record<string, string>): Promise<ServiceProcess> =>
    startService(['--dynamodb', network.endpoint, '--port', port], program, env);
  const stages: ServiceProcess[] = [];
  // In sequence, because each creates the tables that are missing.
  while (stages.length < STAGES) stages.push(await start());
  const baseUrls = stages.map(({ baseUrl }) => baseUrl);

  return {
    folder,
    database,
    network,
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
    restartStage: async (stage: number, env?: Record<string, string>): Promise<void> => {
      stages[stage] = await start(new URL(baseUrls[stage]!).port, env);
    },
    /** Reads all carts from the database, past the network. */
    storedCarts: (): Promise<Cart[]> => readCarts(database.endpoint),
  };
};
