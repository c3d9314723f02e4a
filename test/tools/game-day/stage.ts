import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../../../infra/terminal/operator-error.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { createLogFolder, removeLogFolder } from '../../support/logs/log-files.ts';
import { operateProcess, startService, stopProcesses } from '../../support/programs/processes.ts';
import { createHttpClient } from '../../support/service/http-client.ts';

/** The merchant of all faults. */
export const STORE = 'demo-store-one';

export const PRODUCT = 'one-course';

/** The result of a command, from its line of JSON. */
export type Result = Readonly<Record<string, unknown>>;

/** The merchant's attempt to create a cart. */
export interface Order {
  /** 0 if there was no response. */
  readonly status: number;
  readonly cartId: string;
}

/** A stage of the game, in a process of its own. */
export interface GameStage {
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
  readonly dataFile: string;
  readonly logFile: string;
  /** Runs a command of `npm run operate`, and returns its JSON. */
  operate(...args: readonly string[]): Promise<Result>;
  /** Issues a live key of the merchant. Returns its text. */
  issueKey(...flags: readonly string[]): Promise<string>;
  /** Creates a live cart, as the merchant's server does. */
  order(apiKey: string): Promise<Order>;
  /** Retrieves a live cart. Rejects if there is no response. */
  getCart(cartId: string, apiKey: string): Promise<ApiResponse>;
  /** Creates a live cart and pays it. Returns the id of the cart. */
  paidOrder(apiKey: string): Promise<string>;
  /** Ends the process of the stage, without a chance to finish. */
  kill(): Promise<void>;
}

const ORDER = JSON.stringify({
  productDocumentId: PRODUCT,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  redirectURL: 'https://shop.example/thanks',
});

/** Starts a stage on a port, a data file and a log file of its own. The clean-up ends all processes of the game. */
export const startGameStage = async (cleanUp: AsyncDisposableStack): Promise<GameStage> => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-game-day-'));
  createLogFolder();
  cleanUp.defer(() => {
    removeLogFolder();
    rmSync(folder, { recursive: true, force: true });
  });
  cleanUp.defer(stopProcesses);
  const [dataFile, logFile] = [join(folder, 'dynamodb.sqlite'), join(folder, 'stage.log')];
  const service = await startService(['--data', dataFile]);
  writeFileSync(logFile, service.stderr());
  service.child.stderr?.on('data', (text: string) => appendFileSync(logFile, text));
  const { baseUrl, dynamodbEndpoint } = service;

  const run = async (...args: readonly string[]): Promise<Result> => {
    const { exitCode, stdout, stderr } = await operateProcess(
      ...args,
      '--json',
      '--dynamodb',
      dynamodbEndpoint,
    );
    if (exitCode === 0) return JSON.parse(stdout) as Result;
    throw new OperatorError(`operate ${args.join(' ')} failed: ${stderr.trim()}`);
  };
  const client = createHttpClient(baseUrl);
  const order = async (apiKey: string): Promise<Order> => {
    try {
      const { status, body } = await client.createCart(ORDER, { apiKey });
      const { id = '' } = (body['cart'] ?? {}) as { readonly id?: string };
      return { status, cartId: id };
    } catch {
      return { status: 0, cartId: '' };
    }
  };
  return {
    baseUrl,
    dynamodbEndpoint,
    dataFile,
    logFile,
    operate: run,
    order,
    getCart: (cartId, apiKey) => client.getCart(cartId, { apiKey }),
    issueKey: async (...flags) => {
      const issued = await run('keys', 'issue', '--store', STORE, '--mode', 'live', '--yes', ...flags);
      return String(issued['apiKey']);
    },
    paidOrder: async (apiKey) => {
      const { status, cartId } = await order(apiKey);
      if (status !== 201) throw new OperatorError(`The creation of a cart responded ${status}, not 201.`);
      await run('payments', 'send', '--cart', cartId, '--result', 'succeeded', '--yes');
      return cartId;
    },
    kill: async () => {
      service.child.kill('SIGKILL');
      await service.ended;
    },
  };
};
