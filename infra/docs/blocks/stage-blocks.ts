import type { Template } from 'aws-cdk-lib/assertions';
import type { Access } from '../../../functions/access.ts';
import { type FunctionName, FUNCTIONS, isHttpFunction } from '../../../functions/function-needs.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { pascalCase } from '../../../lib/core/letter-case.ts';
import { TABLE_KINDS, type TableKind } from '../../../lib/database/tables.ts';
import { MERCHANT_AUDIT_STREAM } from '../../../lib/endpoints/audit-log-stream.ts';
import { BODY_ATTRIBUTES } from '../../../lib/events/event-types.ts';
import { BRANCH_CONTEXT, PRODUCTION_CONTEXT } from '../../example-stages/contexts.ts';
import { type Permission, PERMISSIONS } from '../../stack/database/permissions.ts';
import { BUS_TYPES } from '../../stack/events/bus-types.ts';
import { backlogTimes, messagesPerSecond } from '../../stage/backlog-times.ts';
import { RESERVED_CONCURRENCY, splitConcurrency } from '../../stage/concurrency.ts';
import { limitsOf } from '../../stage/function-limits.ts';
import { QUEUES, READ_QUEUES } from '../../stage/queues.ts';
import { MalformedValueError } from '../../stage/read-context-value.ts';
import { withoutHash } from '../../stage/stack-template.ts';
import { type StageConfig, stageConfig } from '../../stage/stage-config.ts';
import { CONTEXT_VALUES, type ContextName } from '../../stage/stage-context.ts';
import { effectiveValue } from '../../stage/stage-values.ts';
import { type TableDefinition, tableIdOf, TABLES } from '../../stage/tables.ts';
import { code, codes, table } from './markdown.ts';

/** The value that a stage has if the context does not set it. */
const defaultOf = (name: ContextName, config: StageConfig): string => {
  if (name === 'stage') return config.retainsData ? config.name : 'the git branch';
  if (name === 'drop') return 'none';
  if (name === 'rollback') return String(config.deployment.isRollback);
  const isRequired = config.retainsData && (name === 'checkoutUrl' || name === 'alarmEmail');
  return isRequired ? 'required' : effectiveValue(config, name);
};

/** The values that a stage accepts, from its error about another one. */
const acceptedValues = (name: ContextName): string => {
  if (name === 'stage') return 'any text; a branch name becomes a valid stage name';
  try {
    stageConfig({
      ...BRANCH_CONTEXT,
      paymentRoleArn: 'arn:aws:iam::111111111111:role/payments',
      [name]: '\0',
    });
  } catch (error) {
    if (error instanceof MalformedValueError) return error.accepted;
    throw error;
  }
  throw new Error(`The stage accepts any ${name}`);
};

/** The context values of a deployment. */
export const contextTable = (): string => {
  const stages = [stageConfig(BRANCH_CONTEXT), stageConfig(PRODUCTION_CONTEXT)];
  const rows = (Object.keys(CONTEXT_VALUES) as ContextName[]).map((name) => [
    code(name),
    ...stages.map((config) => defaultOf(name, config)),
    acceptedValues(name),
    CONTEXT_VALUES[name],
  ]);
  return table([['Name', 'Default', 'Default of `prod`', 'Values', 'Meaning'], ...rows]);
};

/** How fast a stage works off each queue. */
export const backlogTable = (): string => {
  const rows = READ_QUEUES.map((queue) => {
    const { label, reader } = QUEUES[queue];
    const { concurrency, batchSize, secondsPerBatch, one } = reader;
    const { ofMany, ofOne } = backlogTimes(reader, 100_000);
    return [
      label,
      `${concurrency} × ${batchSize} ÷ ${secondsPerBatch} s`,
      messagesPerSecond(reader).toLocaleString('en'),
      `${one.messagesPerSecond}, one ${one.name}`,
      `${ofMany} to ${ofOne}`,
    ];
  });
  const headings = ['Queue', 'Executions × batch ÷ time', 'Messages a second', 'At least', '100,000 take'];
  return table([headings, ...rows]);
};

/** The executions that production reserves for each function. */
export const concurrencyTable = (): string =>
  table([
    ['Function', 'Executions'],
    ...Object.entries(splitConcurrency(RESERVED_CONCURRENCY.byDefault)).map(([name, number]) => [
      code(pascalCase(name)),
      String(number),
    ]),
  ]);

const operationsOf = (name: string): string[] =>
  Object.entries(OPERATIONS).flatMap(([operation, { functionName }]) =>
    functionName === name ? operation : [],
  );

/** The operations of a function. */
const servedBy = (name: FunctionName): string =>
  isHttpFunction(name) ? codes(operationsOf(name)) : 'an event';

const FUNCTION_NAMES = Object.keys(FUNCTIONS) as FunctionName[];

/** Each function: its operations, its limits and its settings besides the tables. */
export const functionTable = (): string => {
  const rows = FUNCTION_NAMES.map((name) => {
    const { memoryMb, timeoutSeconds } = limitsOf(name);
    const settings = FUNCTIONS[name].settings.filter((each) => each !== 'stageName');
    return [code(name), servedBy(name), `${memoryMb} MB`, `${timeoutSeconds} s`, codes(settings)];
  });
  return table([['Function', 'Serves', 'Memory', 'Time limit', 'Settings'], ...rows]);
};

const keyOf = ({ partitionKey, sortKey }: Pick<TableDefinition, 'partitionKey' | 'sortKey'>): string =>
  codes([partitionKey, ...(sortKey ? [sortKey.name] : [])]);

/** The tables of a stage. */
export const tableTable = (): string => {
  const rows = TABLE_KINDS.map((kind) => {
    const definition: TableDefinition = TABLES[kind];
    const { indexes = [], ttlAttribute, hasStream } = definition;
    return [
      code(tableIdOf(kind)),
      keyOf(definition),
      indexes.map((index) => `${code(index.name)}: ${keyOf(index)}`).join('; '),
      ttlAttribute === undefined ? '' : code(ttlAttribute),
      hasStream ? 'yes' : '',
    ];
  });
  return table([['Table', 'Key', 'Index', 'Time to live', 'Stream'], ...rows]);
};

const BODIES = Object.values<string>(BODY_ATTRIBUTES);

const limitOf = ({ index, attributes, partitionKeys }: Permission): string => {
  if (index) return ` of the index ${code(index)}`;
  const bodies = attributes?.filter((name) => BODIES.includes(name)) ?? [];
  const limits = [
    partitionKeys !== undefined && `keys ${code(partitionKeys)}`,
    bodies.length > 0 && codes(bodies),
    attributes && bodies.length === 0 && 'named attributes alone',
  ].filter(Boolean);
  return limits.length > 0 ? ` (${limits.join(', ')})` : '';
};

/** Such as `Carts`: GetItem, PutItem. */
const permissionsOf = (access: readonly Access[]): string => {
  const byTable = Map.groupBy(
    access.flatMap((each) => PERMISSIONS[each]),
    (permission): TableKind => permission.table,
  );
  const texts = [...byTable].map(([kind, permissions]) => {
    const actions = new Set(permissions.map((permission) => `${permission.action}${limitOf(permission)}`));
    return `${code(tableIdOf(kind))}: ${[...actions].join(', ')}`;
  });
  return texts.join('; ') || 'none';
};

const TARGETS: Readonly<Record<string, (functionName: string) => string>> = {
  eventBusName: (name) =>
    `the bus, with the service's source and the types ${BUS_TYPES[name as keyof typeof BUS_TYPES].map(code).join(' and ')} alone`,
  deliveryQueueUrl: () => 'the two delivery queues of each mode',
  eventDeadLetterQueueUrl: () => "the events' dead letters",
};

/** The rights that follow from nothing in `functions/function-needs.ts`. */
const OTHER_RIGHTS: Readonly<Record<string, string>> = {
  RecordPaymentRole: 'receives, returns and deletes messages of the payments queue',
  FanOutEventsRole: `reads the stream of \`Events\`; writes the stream ${code(MERCHANT_AUDIT_STREAM)} of the audit log`,
  DeliverWebhooksRole: 'receives, returns and deletes messages of the delivery queues',
  RolloutRole: 'the alias of each API function; states of alarms',
};

/** The rights of each role of production on the tables, where it may send, and what else it may do. */
export const roleTable = (production: Template): string => {
  const functions = new Map(FUNCTION_NAMES.map((name) => [`${pascalCase(name)}Role`, name]));
  const rows = Object.keys(production.findResources('AWS::IAM::Role')).map((id) => {
    const role = withoutHash(id);
    const name = functions.get(role);
    const { access, settings } = name ? FUNCTIONS[name] : { access: [], settings: [] };
    const targets = settings.flatMap((setting) => TARGETS[setting]?.(name ?? '') ?? []);
    return [code(role), permissionsOf(access), targets.join('; ') || 'nothing', OTHER_RIGHTS[role] ?? ''];
  });
  return table([['Role', 'Actions on tables', 'Sends to', 'Other rights'], ...rows]);
};
