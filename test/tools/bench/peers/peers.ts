import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationName, OPERATIONS } from '../../../../functions/operations.ts';
import { BUYER } from '../../../support/secrets.ts';
import { targetOf } from '../../../support/invoke.ts';
import type { HttpRequest, Load, LoadResult } from '../http/load.ts';
import { type Stage, startLocalStage, startStage } from '../http/stage.ts';
import { type BenchDatabase, startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import { type LoadCell, ratioOf, tableOf } from '../support/load-cell.ts';
import { givenRequests } from '../support/operations.ts';
import { atLeast, type Effort, goal, measureInTurn, type Report, type Verdict } from '../support/report.ts';
import { startWorker, type Worker } from '../support/worker.ts';
import { requireInstalled } from './packages.ts';
import type { CartRequests, ReadyPeer } from './peer-process.ts';

type Operation = keyof CartRequests;
type SystemName = 'ours' | PeerName;
type PeerName = (typeof PEERS)[number];
type System = Stage & CartRequests & { readonly name: SystemName };

const PEERS = ['vendure', 'medusa'] as const;

/** How many times the requests per second of the best peer. */
const RATIO_MIN = { retrieve: 1.2, create: 10 } as const;

const CONNECTIONS = [1, 16, 64];
const ROUNDS = 3;
/** How long a round takes, about, in seconds. */
const ROUND_SECONDS = 1.5;
const WARM_UP_REQUESTS = { retrieve: 300, create: 100 } as const;
const WARM_UP_CONNECTIONS = 4;

const METHOD = `Medians of alternating rounds of a fixed number of requests. A response that is missing or invalid ends the run with an error.
Each system has one process that serves, in production mode and with its logs in a file. Each keeps idle connections for 60 s.
Load, systems and databases share the processors of this machine. No system waits for a worker, a cache server or a mail server.
create: one request, to a cart with one product at 49.90 EUR and the buyer's e-mail address, ready for payment.
  ours     POST of a cart with names, telephone, metadata and a return address: rate limit, product, cart
  vendure  a GraphQL mutation without a session: addItemToOrder and setCustomerForOrder with names and telephone, priced in USD
  medusa   POST /store/carts with the item and e-mail address; no names, which would be an address more
retrieve: one cart by its id, always the same.
  ours     GET of the cart: checks the key, takes a token of its rate limit and waits until the disk has it, reads the cart
  vendure  the GraphQL query activeOrder of a session, with the fields that ours shows: reads alone, no rate limit
  medusa   GET /store/carts/{id} with its default fields: reads alone, no rate limit
Durability: every commit waits until the disk has it. The syncs per request, as traced with strace at 1 and 16 connections:
  ours     dynoxide in a file: SQLite, WAL, synchronous=FULL; create 2, retrieve 1
  vendure  better-sqlite3 in a file: WAL, synchronous=FULL; create 4, retrieve 0. Unconfigured, it has a rollback journal and is slower
  medusa   PostgreSQL with its defaults: fsync=on, synchronous_commit=on; create 1, retrieve 0`;

const requestOf = (
  [name, validText]: readonly [OperationName, string],
  request: Parameters<typeof targetOf>[1],
): HttpRequest => ({
  method: OPERATIONS[name].method as HttpRequest['method'],
  path: targetOf(name, request),
  headers: request.headers as HttpRequest['headers'],
  ...(request.body !== undefined && { body: String(request.body) }),
  validText,
});

const startOurs = async (database: BenchDatabase, folder: string): Promise<System> => {
  const stage = await startLocalStage(database, join(folder, 'ours.log'));
  const given = await givenRequests(database);
  return {
    ...stage,
    name: 'ours',
    create: requestOf(['createCartCheckout', 'redirectUrl'], given('createCartCheckout')),
    retrieve: requestOf(['getCart', BUYER.email], given('getCart')),
  };
};

const startPeer = async (name: PeerName, folder: string): Promise<System> => {
  const data = join(folder, name);
  mkdirSync(data);
  const file = `test/tools/bench/peers/${name}/main.ts`;
  const stage = await startStage<ReadyPeer>(file, [data], join(folder, `${name}.log`), {
    ...process.env,
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    VENDURE_DISABLE_TELEMETRY: 'true',
    // Medusa keeps the settings of its telemetry here.
    XDG_CONFIG_HOME: data,
  });
  return { ...stage, name };
};

/** Sends a number of requests, so that no request is still running when another system takes its turn. */
const send = async (
  worker: Worker,
  system: System,
  operation: Operation,
  connections: number,
  amount: number,
): Promise<LoadResult> => {
  const rounded = Math.ceil(amount / connections) * connections;
  const load: Load = {
    url: system.baseUrl,
    connections,
    extent: { amount: rounded },
    requests: [system[operation]],
  };
  try {
    return await worker.ask<LoadResult>(load);
  } catch (error) {
    throw new Error(`${system.name}, ${operation}, ${connections} connections: ${String(error)}`, {
      cause: error,
    });
  }
};

const judge = (cell: LoadCell<SystemName>): Verdict => {
  const ratios = PEERS.map((peer) => ({ peer, ratio: ratioOf(cell, 'requestsPerSecond', 'ours', peer) }));
  const best = ratios.reduce((a, b) => (a.ratio <= b.ratio ? a : b));
  const min = RATIO_MIN[cell.operation as Operation];
  return atLeast(
    `${cell.operation}, ${cell.connections} connections: requests/s at least ${min} times the best peer's`,
    best.ratio,
    min,
    `${best.ratio.toFixed(2)} (${best.peer})`,
  );
};

/** Measures every operation and number of connections, after a warm-up of each system. */
const measureCells = async (
  worker: Worker,
  systems: Readonly<Record<SystemName, System>>,
  { isQuick }: Effort,
): Promise<LoadCell<SystemName>[]> => {
  const names = Object.keys(systems) as SystemName[];
  const cells: LoadCell<SystemName>[] = [];
  for (const operation of ['retrieve', 'create'] as const) {
    for (const name of names) {
      const amount = isQuick ? WARM_UP_CONNECTIONS : WARM_UP_REQUESTS[operation];
      await send(worker, systems[name], operation, WARM_UP_CONNECTIONS, amount);
    }
    for (const connections of isQuick ? [1, 16] : CONNECTIONS) {
      const amounts = new Map<SystemName, number>();
      for (const name of names) {
        const { requestsPerSecond } = await send(
          worker,
          systems[name],
          operation,
          connections,
          2 * connections,
        );
        amounts.set(
          name,
          isQuick ? connections : Math.max(2 * connections, requestsPerSecond * ROUND_SECONDS),
        );
      }
      const results = await measureInTurn(names, isQuick ? 1 : ROUNDS, (name) =>
        send(worker, systems[name], operation, connections, amounts.get(name)!),
      );
      cells.push({ operation, connections, results });
    }
  }
  return cells;
};

/** Compares the local stage over HTTP with two commerce systems that run on one machine. */
export const benchPeers = async (effort: Effort): Promise<Report> => {
  requireInstalled();
  const folder = makeTemporaryFolder();
  const database = await startBenchDatabase(join(folder, 'ours.sqlite'));
  const [ours, vendure, medusa] = await Promise.all([
    startOurs(database, folder),
    startPeer('vendure', folder),
    startPeer('medusa', folder),
  ]);
  const worker = await startWorker(join(import.meta.dirname, '../http/load.ts'));
  const cells = await measureCells(worker, { ours, vendure, medusa }, effort);
  await Promise.all([worker.stop(), ours.stop(), vendure.stop(), medusa.stop()]);
  await database.close();
  return {
    title: 'Peers: create and retrieve a cart, beside Vendure 3.7 and Medusa 2.21',
    method: METHOD,
    ...tableOf(cells, ['system', (name) => name], ['vendure', 'vendure']),
    verdicts: cells.map(judge).map(goal),
  };
};
