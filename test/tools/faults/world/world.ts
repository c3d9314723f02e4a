import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local/local-database.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { createDocumentClient } from '../../../../lib/dynamodb.ts';
import { type ServiceProcess, startService, stopProcesses } from '../../../support/processes.ts';
import { createDatabaseProcess, type DatabaseProcess } from './database-process.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

/** Two processes of the service on one database, with a network between them that can be made to fail. */
export interface World {
  readonly database: DatabaseProcess;
  readonly network: FaultyProxy;
  /** Where each process of the service answers; the same after a restart. */
  readonly baseUrls: readonly string[];
  /** Ends a process of the service as a crash does. */
  killStage(stage: number): Promise<void>;
  /** Starts it again, as whoever supervises it would; returns once it says that it is ready. */
  restartStage(stage: number): Promise<void>;
  /** All carts, read from the database itself. */
  storedCarts(): Promise<Cart[]>;
  close(): Promise<void>;
}

const STAGES = 2;

/** A file outlives its process in memory too, and there no test waits for a disk. */
const IN_MEMORY = '/dev/shm';
const FOLDER = existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir();

const readCarts = async (dynamodbEndpoint: string): Promise<Cart[]> => {
  const documents = createDocumentClient(localClientConfig(dynamodbEndpoint));
  const scan = { TableName: LOCAL_TABLE_NAMES.carts, ConsistentRead: true };
  const carts: Cart[] = [];
  for await (const { Items = [] } of paginateScan({ client: documents }, scan))
    carts.push(...(Items as Cart[]));
  documents.destroy();
  return carts;
};

/** @param draw chooses which answers the network loses */
export const startWorld = async (draw: () => number): Promise<World> => {
  const folder = mkdtempSync(join(FOLDER, 'cart-checkout-faults-'));
  const database = await createDatabaseProcess(join(folder, 'dynamodb.sqlite'));
  await database.start();
  const network = await startFaultyProxy(database.port, draw);
  const start = (port = '0'): Promise<ServiceProcess> =>
    startService(['--dynamodb', network.endpoint, '--port', port]);
  const stages: ServiceProcess[] = [];
  // One after the other: both would create the tables.
  while (stages.length < STAGES) stages.push(await start());
  const baseUrls = stages.map(({ baseUrl }) => baseUrl);

  return {
    database,
    network,
    baseUrls,
    killStage: async (stage) => {
      const { child, ended } = stages[stage]!;
      child.kill('SIGKILL');
      await ended;
    },
    restartStage: async (stage) => {
      stages[stage] = await start(new URL(baseUrls[stage]!).port);
    },
    storedCarts: () => readCarts(database.endpoint),
    close: async () => {
      await stopProcesses();
      await network.close();
      await database.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
