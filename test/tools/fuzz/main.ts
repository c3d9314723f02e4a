import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { createLogFolder, endLogFolder, removeLogFolder } from '../../support/logs/log-files.ts';
import { operateProcess, startService, stopProcesses } from '../../support/programs/processes.ts';
import { installPythonPackage } from '../../support/programs/python-package.ts';
import { runTool } from '../run-tool.ts';

const CONTRACT = join(import.meta.dirname, '../../../docs/openapi.json');

const CONFIG = join(import.meta.dirname, 'schemathesis.toml');

const SCHEMATHESIS_VERSION = '4.32.5';

/** Per operation and phase. All phases together generate more than 2,000 requests. */
const CASES_MAX = 2_500;

/**
 * Checks with other rules than this API. A request that matches the schemas can still name an unknown product or reuse an
 * idempotency key: 400 and 422 are correct. A wrong method is an unknown route: 404, by decision.
 */
const EXCLUDED_CHECKS = 'positive_data_acceptance,unsupported_method';

/** The largest limits of a key on the local stage: 200 requests a second. The contract documents the 429 above it. */
const HIGH_LIMIT = ['--limit', '1000', '--window', '5'];

const fuzz = async (baseUrl: string, apiKey: string, extraArgs: readonly string[]): Promise<number> => {
  const folder = await installPythonPackage('schemathesis', SCHEMATHESIS_VERSION);
  const args = [
    ['-m', 'schemathesis.cli', '--config-file', CONFIG],
    ['run', CONTRACT, '--url', baseUrl],
    ['--header', `Authorization: Bearer ${apiKey}`],
    ['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', String(CASES_MAX)],
    // With two, the compiler of CPython before 3.13 fails now and then ("AST constructor recursion depth mismatch").
    ['--exclude-checks', EXCLUDED_CHECKS, '--workers', '1', '--continue-on-failure'],
    extraArgs,
  ].flat();
  const fuzzer = spawn('python3', args, {
    // It stores its examples in its working folder.
    cwd: dirname(folder),
    env: { ...process.env, PYTHONPATH: folder },
    stdio: 'inherit',
  });
  const [exitCode] = (await once(fuzzer, 'close')) as [number | null];
  return exitCode ?? 1;
};

/** The property tests of readers beside writers that are late and die, and of the token bucket's writers. */
const PROPERTY_TESTS = [
  'test/lib/events/feed.property.test.ts',
  'test/lib/api-keys/stored-bucket.property.test.ts',
];

/** Runs the property tests with many scenarios. */
const checkProperties = async (): Promise<number> => {
  const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');
  const run = spawn(process.execPath, [vitest, 'run', ...PROPERTY_TESTS, '--testTimeout=600000'], {
    env: { ...process.env, PROPERTY_RUNS: '1000' },
    stdio: 'inherit',
  });
  const [exitCode] = (await once(run, 'close')) as [number | null];
  return exitCode ?? 1;
};

const program = new Command('npm run test:fuzz --')
  .description(
    'Sends valid and invalid requests, generated from docs/openapi.json, to the local stage.\n' +
      'Fails on a 5xx response, and on a status, header or body that the contract does not document.\n' +
      'Then runs the property tests of the feed and of the token bucket with many more scenarios than npm test.',
  )
  .argument('[options...]', 'options of "schemathesis run", which override ours')
  .allowUnknownOption();

await runTool(program, async (cleanUp, extraArgs: readonly string[]) => {
  createLogFolder();
  cleanUp.defer(removeLogFolder);
  cleanUp.defer(stopProcesses);
  const { baseUrl, dynamodbEndpoint, stores, stop } = await startService();
  const where = ['--store', stores[0]?.id ?? '', '--dynamodb', dynamodbEndpoint, '--json'];
  const { stdout } = await operateProcess('keys', 'issue', ...HIGH_LIMIT, ...where);
  const fuzzed = await fuzz(baseUrl, (JSON.parse(stdout) as { apiKey: string }).apiKey, extraArgs);
  await stop();
  endLogFolder();
  process.exitCode = fuzzed === 0 ? await checkProperties() : fuzzed;
});
