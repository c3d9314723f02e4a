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

const ORDER = JSON.stringify({
  productDocumentId: PRODUCT,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  redirectURL: 'https://shop.example/thanks',
});

/**
 * Starts a stage in a process of its own, on a port, a data file and a log file of its own. The clean-up ends all processes of
 * the game.
 */
export const startGameStage = async (cleanUp: AsyncDisposableStack) => {
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
  const client = createHttpClient(baseUrl);

  /** Runs a command of `npm run operate`, and returns its JSON. */
  const operate = async <Json = unknown>(...args: readonly string[]): Promise<Json> => {
    const ended = await operateProcess(...args, '--json', '--dynamodb', dynamodbEndpoint);
    if (ended.exitCode === 0) return JSON.parse(ended.stdout) as Json;
    throw new OperatorError(`operate ${args.join(' ')} failed: ${ended.stderr.trim()}`);
  };
  /** Creates a live cart, as the merchant's server does. The status is 0 if there is no response. */
  const order = async (apiKey: string): Promise<{ status: number; cartId: string }> => {
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
    operate,
    order,
    /** Retrieves a live cart. Rejects if there is no response. */
    getCart: (cartId: string, apiKey: string): Promise<ApiResponse> => client.getCart(cartId, { apiKey }),
    /** Issues a live key of the merchant. Returns its text. */
    issueKey: async (...flags: readonly string[]): Promise<string> => {
      const issue = ['keys', 'issue', '--store', STORE, '--mode', 'live', '--yes', ...flags];
      return (await operate<{ apiKey: string }>(...issue)).apiKey;
    },
    /** Creates a live cart and pays it. Returns the id of the cart. */
    paidOrder: async (apiKey: string): Promise<string> => {
      const { status, cartId } = await order(apiKey);
      if (status !== 201) throw new OperatorError(`The creation of a cart responded ${status}, not 201.`);
      await operate('payments', 'send', '--cart', cartId, '--result', 'succeeded', '--yes');
      return cartId;
    },
    /** Ends the process of the stage, without a chance to finish. */
    kill: async (): Promise<void> => {
      service.child.kill('SIGKILL');
      await service.ended;
    },
  };
};

/** A stage of the game. */
export type GameStage = Awaited<ReturnType<typeof startGameStage>>;
