import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { operate, startService } from '../../support/processes.ts';
import { installPythonPackage } from '../../support/python-package.ts';
import { createLogFolder, endLogFolder } from '../../support/log-files.ts';

// A fuzzer that knows the service by its contract alone: it generates valid and invalid requests to the local stage, and
// fails on an answer 5xx and on a status, header or body that docs/openapi.json does not promise.
const CONTRACT = join(import.meta.dirname, '../../../docs/openapi.json');

const SCHEMATHESIS_VERSION = '4.32.5';

/** Per operation and phase; all phases together generate more than 2,000. */
const CASES_MAX = 2_500;

/**
 * Checks whose rule is not this API's. A request that the contract's schemas take may still name a product that there is not,
 * or reuse an idempotency key: 400 and 422 are right. A wrong method is an unknown route here: 404, by decision.
 */
const FOREIGN_CHECKS = 'positive_data_acceptance,unsupported_method';

/** What a key may have at most: 1,000 requests a second. */
const HIGH_LIMIT = ['--limit', '60000', '--window', '60'];

const fuzz = async (baseUrl: string, apiKey: string): Promise<number> => {
  const folder = await installPythonPackage('schemathesis', SCHEMATHESIS_VERSION);
  const args = [
    ['-m', 'schemathesis.cli', 'run', CONTRACT, '--url', baseUrl],
    ['--header', `Authorization: Bearer ${apiKey}`],
    ['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', String(CASES_MAX)],
    ['--exclude-checks', FOREIGN_CHECKS, '--workers', '2', '--continue-on-failure'],
    process.argv.slice(2),
  ].flat();
  const fuzzer = spawn('python3', args, {
    // It leaves what it learnt in the folder that it runs in.
    cwd: dirname(folder),
    env: { ...process.env, PYTHONPATH: folder },
    stdio: 'inherit',
  });
  const [exitCode] = (await once(fuzzer, 'close')) as [number | null];
  return exitCode ?? 1;
};

createLogFolder();
const { baseUrl, dynamodbEndpoint, stores, stop } = await startService();
const where = ['--store', stores[0]?.id ?? '', '--dynamodb', dynamodbEndpoint, '--json'];
const { stdout } = await operate('keys', 'issue', ...HIGH_LIMIT, ...where);
process.exitCode = await fuzz(baseUrl, (JSON.parse(stdout) as { apiKey: string }).apiKey);
await stop();
endLogFolder();
