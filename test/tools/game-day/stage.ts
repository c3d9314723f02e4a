import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../../../infra/terminal/operator-error.ts';
import { createLogFolder, removeLogFolder } from '../../support/logs/log-files.ts';
import { operate, startService, stopProcesses } from '../../support/programs/processes.ts';

/** The merchant of all faults. */
export const STORE = 'demo-store-one';

export const PRODUCT = 'one-course';

const REQUEST_TIMEOUT_MS = 10_000;

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
  /** Creates a live cart and pays it. Returns the id of the cart. */
  paidOrder(apiKey: string): Promise<string>;
  /** Ends the process of the stage, without a chance to finish. */
  kill(): Promise<void>;
}

const createCart = async (baseUrl: string, apiKey: string): Promise<Order> => {
  const body = {
    productDocumentId: PRODUCT,
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    redirectURL: 'https://shop.example/thanks',
  };
  try {
    const response = await fetch(`${baseUrl}/api/v1/stores/cart/checkout`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const { cart } = (await response.json()) as { readonly cart?: { readonly id: string } };
    return { status: response.status, cartId: cart?.id ?? '' };
  } catch {
    return { status: 0, cartId: '' };
  }
};

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
    const { exitCode, stdout, stderr } = await operate(...args, '--json', '--dynamodb', dynamodbEndpoint);
    if (exitCode === 0) return JSON.parse(stdout) as Result;
    throw new OperatorError(`operate ${args.join(' ')} failed: ${stderr.trim()}`);
  };
  const order = (apiKey: string): Promise<Order> => createCart(baseUrl, apiKey);
  return {
    baseUrl,
    dynamodbEndpoint,
    dataFile,
    logFile,
    operate: run,
    order,
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
