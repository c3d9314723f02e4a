import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** The beginning of the names of the local stage's tables. */
export const TABLE_PREFIX = 'cart-checkout-local-';

/** A local stage with the code of a release. It ends with this process. */
export interface ReleaseStage {
  /** The folder with its data file. */
  readonly folder: string;
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
  /** Runs a command of the operators, and returns its JSON. */
  operate(...args: readonly string[]): Promise<Record<string, string>>;
  /** Retrieves the text of a path with an API key. */
  get(path: string, apiKey: string): Promise<{ readonly status: number; readonly text: string }>;
  end(): Promise<void>;
}

/**
 * Starts a local stage with the code of a release.
 *
 * @param checkout the folder with the code of the release, and its packages
 * @param folder the folder of an ended stage. By default, the data file is new
 */
export const startRelease = async (
  checkout: string,
  folder = mkdtempSync(join(tmpdir(), 'cart-checkout-upgrade-')),
): Promise<ReleaseStage> => {
  const flags = ['--json', '--port', '0', '--data', join(folder, 'data.sqlite')];
  const stage = spawn(process.execPath, [resolve(checkout, 'infra/local/main.ts'), ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => {
    stage.kill('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  });
  const [line] = (await once(createInterface(stage.stdout), 'line')) as [string];
  const { baseUrl, dynamodbEndpoint } = JSON.parse(line) as Pick<
    ReleaseStage,
    'baseUrl' | 'dynamodbEndpoint'
  >;
  return {
    folder,
    baseUrl,
    dynamodbEndpoint,
    async operate(...args) {
      const program = resolve(checkout, 'infra/operate/main.ts');
      const all = [program, ...args, '--dynamodb', dynamodbEndpoint, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, all);
      return JSON.parse(stdout) as Record<string, string>;
    },
    async get(path, apiKey) {
      const response = await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${apiKey}` } });
      return { status: response.status, text: await response.text() };
    },
    async end() {
      stage.kill('SIGINT');
      await once(stage, 'close');
    },
  };
};
