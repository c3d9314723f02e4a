import { globSync, readFileSync } from 'node:fs';
import * as Acm from '@aws-sdk/client-acm';
import * as CloudFormation from '@aws-sdk/client-cloudformation';
import * as CloudWatch from '@aws-sdk/client-cloudwatch';
import * as DynamoDb from '@aws-sdk/client-dynamodb';
import * as EventBridge from '@aws-sdk/client-eventbridge';
import * as Iam from '@aws-sdk/client-iam';
import * as Lambda from '@aws-sdk/client-lambda';
import * as Sqs from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { stageConfig } from '../../infra/stage/stage-config.ts';
import { type TableDefinition, TABLES } from '../../infra/stage/tables.ts';
import { pascalCase } from '../../lib/core/letter-case.ts';
import {
  argsOf,
  operateCommandsIn,
  parseOperate,
  shellLinesOf,
  withValues,
} from '../support/documents/documented-commands.ts';
import { isResource } from '../support/stack/template.ts';

/** Node.js before 22.18 cannot run TypeScript. npx puts the Node.js 24 of the packages first. */
const TYPESCRIPT_ON_THE_MACHINES_NODE = /(?<!npx )\bnode (?:-\S+ )*\S+\.ts\b/;

test.each(globSync(['*.md', 'docs/*.md', 'clients/*/*.md']))(
  'the commands of %s run TypeScript only on the Node.js of the packages',
  (path) => {
    const lines = shellLinesOf(readFileSync(path, 'utf8'));
    expect(lines.filter((line) => TYPESCRIPT_ON_THE_MACHINES_NODE.test(line))).toStrictEqual([]);
  },
);

test.each(globSync(['*.md', 'docs/*.md', 'clients/*/*.md']))(
  'the commands of %s deploy a stage that keeps data only with the check of its values',
  (path) => {
    const lines = shellLinesOf(readFileSync(path, 'utf8'));
    expect(lines.filter((line) => /cdk deploy\b.*stage=prod\b/.test(line))).toStrictEqual([]);
  },
);

test('the bootstrap of an account that has no stage yet needs no values of one', () => {
  const page = readFileSync('docs/operate.md', 'utf8');
  const stages = shellLinesOf(page).flatMap((line) => /cdk bootstrap -c stage=(\S+)/.exec(line)?.[1] ?? []);
  expect(stages).not.toStrictEqual([]);
  for (const stage of stages) expect(() => stageConfig({ stage })).not.toThrow();
});

test('a restored table gets its time to live again, unless it had none', () => {
  const page = readFileSync('docs/recover.md', 'utf8');
  const [, names = ''] = /((?:`\w+`(?:,|\sand)?\s+)+)have\sno\stime\sto\slive/.exec(page) ?? [];
  const without = Object.entries<TableDefinition>(TABLES).filter(([, { ttlAttribute }]) => !ttlAttribute);
  expect(new Set(names.match(/\w+(?=`)/g))).toStrictEqual(
    new Set(without.map(([kind]) => kind.charAt(0).toUpperCase() + kind.slice(1))),
  );
});

/** A command that the text names without its options. */
const isWhole = (line: string): boolean => line.includes(' --');

describe.each([
  ['docs/runbook.md', 5],
  ['docs/recover.md', 5],
  ['docs/upgrade.md', 3],
])('a command of %s', (path, more) => {
  const page = readFileSync(path, 'utf8');
  /** The lines in blocks and in the text. */
  const LINES = [
    ...shellLinesOf(page),
    ...[...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).filter(isWhole),
  ];

  test('of operate is accepted by its command line, and selects the stage', async () => {
    const commands = operateCommandsIn(LINES).map((line) => withValues(line, isResource));
    expect(commands.length).toBeGreaterThan(more);
    for (const command of commands) {
      expect(command).toContain('--stage prod');
      await expect(parseOperate(command), command).resolves.toBeDefined();
    }
    await expect(parseOperate('keys gone --stage prod')).rejects.toThrow(/unknown command/);
    await expect(parseOperate('keys list --gone --stage prod')).rejects.toThrow(/unknown option/);
  });

  const CLIENTS: Readonly<Record<string, object>> = {
    cloudformation: CloudFormation,
    cloudwatch: CloudWatch,
    events: EventBridge,
    lambda: Lambda,
    sqs: Sqs,
    acm: Acm,
    dynamodb: DynamoDb,
    iam: Iam,
  };

  /** Commands of a service without a client here, and waiters, which are no operations. */
  const OTHERS = /^aws (?:deploy|\w+ wait) /;

  /** The parameters of an AWS operation, by the schema in its client. */
  const parametersOf = (service: string, operation: string): readonly string[] => {
    const name = `${pascalCase(operation)}Command`;
    const Operation = (CLIENTS[service] as Record<string, new (input: object) => { schema?: unknown[] }>)[
      name
    ];
    if (!Operation) throw new Error(`AWS has no operation ${service} ${operation}`);
    const input = new Operation({}).schema?.[4] as unknown[] | (() => unknown[]);
    return (typeof input === 'function' ? input() : input)[4] as string[];
  };

  test('of AWS names an operation and parameters that exist', () => {
    const lines = LINES.filter((line) => line.startsWith('aws ') && !OTHERS.test(line));
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      const [, service = '', operation = '', ...args] = argsOf(withValues(line, isResource));
      const options = args.filter((arg) => arg.startsWith('--') && arg !== '--output' && arg !== '--query');
      const known = new Set(parametersOf(service, operation).map((name) => name.toLowerCase()));
      // `--no-` sets a boolean parameter to false.
      const unknown = options.filter((option) => !known.has(option.replace('--no-', '').replaceAll('-', '')));
      expect({ line, unknown }).toStrictEqual({ line, unknown: [] });
    }
    expect(() => parametersOf('lambda', 'describe-gone')).toThrow('AWS has no operation');
  });
});
