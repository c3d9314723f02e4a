import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { runTool } from '../run-tool.ts';
import { type Database, startDynamodbLocal } from './dynamodb-local.ts';
import { INTENDED_DIFFERENCES } from './intended-differences.ts';
import { runDifferential, type RunResult } from './run.ts';

interface Options {
  readonly calls: number;
  readonly seed: number;
  readonly minutes: number;
  readonly embedded: boolean;
  readonly dynamodbLocal: readonly string[];
}

interface Row extends RunResult {
  readonly name: string;
  readonly seconds: number;
}

const parseCount = (text: string): number => {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be a whole number above 0.');
};

const COLUMNS = [
  'database',
  'calls',
  'commands',
  'errors compared',
  'kinds of errors',
  'differences',
  'seconds',
];

const rowText = ({ name, tally, difference, seconds }: Row): readonly string[] => {
  const errors = [...tally.errors.values()].reduce((sum, count) => sum + count, 0);
  const counts = [
    tally.calls,
    tally.commands.size,
    errors,
    tally.errors.size,
    difference === undefined ? 0 : 1,
    seconds,
  ];
  return [name, ...counts.map((count) => count.toLocaleString('en'))];
};

const tableText = (rows: readonly Row[]): string => {
  const lines = [COLUMNS, ...rows.map(rowText)];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '))
    .join('\n');
};

/** Counts the errors that both clients threw by name, the most frequent first. */
const errorsText = (rows: readonly Row[]): string => {
  const counts = new Map<string, number>();
  for (const [name, count] of rows.flatMap(({ tally }) => [...tally.errors])) {
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return `errors: ${sorted.map(([name, count]) => `${name || '(no name)'} ${count}`).join(', ')}`;
};

const intendedText = (rows: readonly Row[]): string => {
  const seen = new Set(rows.flatMap(({ tally }) => [...tally.intended]));
  const lines = Object.entries(INTENDED_DIFFERENCES).map(
    ([subject, reason]) => `  ${subject}: ${reason}${seen.has(subject) ? '' : ' (it did not occur)'}`,
  );
  return ['intended differences:', ...lines].join('\n');
};

const databasesOf = ({ embedded, dynamodbLocal }: Options) => [
  ...(embedded ? [['dynoxide', () => startEmbeddedDynamodb({ data: 'memory' })] as const] : []),
  ...dynamodbLocal.map((source) => [`DynamoDB Local ${source}`, () => startDynamodbLocal(source)] as const),
];

const runOn = async (name: string, database: Database, options: Options): Promise<Row> => {
  const { calls, seed, minutes } = options;
  const startedAtMs = Date.now();
  const endsAtMs = startedAtMs + minutes * 60_000;
  const result = await runDifferential({ database: database.endpoint, calls, seed, endsAtMs });
  return { name, ...result, seconds: Math.round((Date.now() - startedAtMs) / 1_000) };
};

const program = new Command('npm run test:differential --')
  .description(
    "Makes the same generated calls with the SDK's document client and with the service's own one.\n" +
      'Compares results, errors, retries and requests byte for byte. Exits 1 if they differ in a way that is not intended.',
  )
  .option('--calls <N>', 'the calls to compare on each database', parseCount, 100_000)
  .option('--seed <N>', 'repeats the calls of an earlier run; random by default', parseCount)
  .option('--minutes <N>', 'when to give up on a database', parseCount, 60)
  .option('--no-embedded', 'leaves out the embedded DynamoDB')
  .option(
    '--dynamodb-local <VERSION|PATH...>',
    'adds DynamoDB Local: a version from Maven Central (needs mvn and Java 17), or its folder',
  );

await runTool(program, async (cleanUp, given: Partial<Options>) => {
  const options = { seed: randomInt(1, 2 ** 31), dynamodbLocal: [], ...given } as Options;
  process.stdout.write(`seed ${options.seed}\n`);
  const rows: Row[] = [];
  for (const [name, start] of databasesOf(options)) {
    const database = await start();
    cleanUp.defer(() => database.close());
    const row = await runOn(name, database, options);
    await database.close();
    rows.push(row);
    if (row.difference !== undefined) process.stdout.write(`${name}: ${row.difference}\n\n`);
    else if (row.tally.calls < options.calls) process.stdout.write(`${name}: the time ended early\n`);
  }
  process.stdout.write(`${tableText(rows)}\n${errorsText(rows)}\n${intendedText(rows)}\n`);
  const isEqual = rows.every(
    ({ difference, tally }) => difference === undefined && tally.calls >= options.calls,
  );
  if (!isEqual) process.exitCode = 1;
});
