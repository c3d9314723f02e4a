import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Client } from '@smithy/core/client';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { COMMANDS as DECLARED } from '../../../../infra/operate/commands.ts';
import type { AuditRecord } from '../../../../infra/operate/frame/audit-log.ts';
import type { Command } from '../../../../infra/operate/frame/command.ts';
import { type Parameters, wordOf } from '../../../../infra/operate/frame/parameter.ts';
import { TABLES } from '../../../../infra/stage/tables.ts';
import { apiKeyId } from '../../../../lib/api-keys/api-key.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import type { DeliveryMessage } from '../../../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../../../lib/deliveries/records/delivery-repository.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import { waitingCart } from '../../../support/domain/payments.ts';
import { CALLER } from '../../../support/operators/aws-stand-in.ts';
import {
  BUS_AND_QUEUES,
  givenOperatedService,
  type OperatedService,
} from '../../../support/operators/deployed-stage.ts';
import { recorderOf } from '../../../support/operators/record-from-bus.ts';
import { saidIn } from '../../../support/programs/expect-sentence.ts';
import { BUYER } from '../../../support/secrets.ts';
import { expectForm } from './expect-form.ts';

const STORE = 'audited';

let stage: OperatedService;
let folder: string;

beforeAll(async () => {
  stage = await givenOperatedService();
  folder = mkdtempSync(join(tmpdir(), 'cart-checkout-audit-'));
  // The acceptance suite is a process. This one passes at once.
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  await stage.givenStore(STORE);
  stage.cloudFormation.stacks.set('CartCheckout-one', {
    status: 'UPDATE_COMPLETE',
    outputs: {
      ...stage.outputs,
      HasCanary: 'true',
      BaseUrl: 'https://api.example.com/one/',
    },
  });
  return stage.close;
});

const records = (): AuditRecord[] =>
  stage.aws.logs.events.map(({ message }) => JSON.parse(message) as AuditRecord);

beforeEach(() => {
  stage.aws.logs.events.length = 0;
  stage.aws.logs.onCall(() => undefined);
  stage.aws.onEvent(recorderOf(stage));
});

/** A live endpoint. Each has a store of its own, because a store may have five. */
const givenEndpoint = async (): Promise<{ readonly id: string; readonly storeId: string }> => {
  const storeId = await stage.givenStore(`hooked-${randomUUID()}`);
  const flags = ['--store', storeId, '--mode', 'live', '--url', 'https://shop.example/hook', '--yes'];
  return { id: String((await stage.runJson('webhooks', 'create', ...flags))['id']), storeId };
};

const givenCartId = async (mode: Mode = 'live', storeId = STORE): Promise<string> =>
  (await stage.carts[mode].create(waitingCart({ mode, storeId }))).cart.id;

/** Completes a live cart, which is an event of its store. Returns the id of the payment. */
const givenEvent = async (storeId?: string): Promise<string> => {
  const flags = ['--cart', await givenCartId('live', storeId), '--result', 'succeeded', '--yes', '--json'];
  const { stdout } = await stage.run(['payments', 'send', ...flags]);
  return (JSON.parse(stdout) as { readonly paymentId: string }).paymentId;
};

/** Puts a payment event that the stage would record now into the queue of dead letters. Returns its message id. */
const givenDeadLetter = async (): Promise<string> => {
  const detail = {
    eventId: randomUUID(),
    cartId: await givenCartId('test'),
    mode: 'test',
    paymentId: randomUUID(),
  };
  const price = { amount: 19.99, currency: 'EUR', occurredAt: new Date(stage.clock.now()).toISOString() };
  const letter = { 'detail-type': 'payment.succeeded', source: 'payments', detail: { ...detail, ...price } };
  stage.aws.queues.put(BUS_AND_QUEUES.PaymentDeadLetterQueueUrl, JSON.stringify(letter));
  const { deadLetters } = await stage.runJson<{ deadLetters: { messageId: string }[] }>(
    'dead-letters',
    'list',
  );
  return deadLetters[0]!.messageId;
};

/** Delivers each ping, as the function of a stage does. */
const deliverPings = async (): Promise<void> => {
  const deliveries = createDeliveryRepository(stage.documents, stage.tableNames.deliveries, stage.clock.now);
  const nowMs = stage.clock.now();
  const { SlowDeliveryQueueUrl, SlowTestDeliveryQueueUrl } = BUS_AND_QUEUES;
  for (const body of [SlowDeliveryQueueUrl, SlowTestDeliveryQueueUrl].flatMap((url) =>
    stage.aws.queues.bodies(url),
  )) {
    const message = JSON.parse(body) as DeliveryMessage;
    const attempt = { atMs: nowMs, attempt: 1, status: 200, ms: 1 };
    await deliveries.record(message, { status: 'succeeded', result: attempt }, nowMs);
  }
};

const stateFile = (): string => join(folder, randomUUID());

const catalogue = (id: string): string => {
  const file = join(folder, 'catalogue.csv');
  writeFileSync(file, `id,store,name,currency,price\n${id},${STORE},Course,EUR,5\n`);
  return file;
};

/** A value of an argument or option, by its name: the item of live mode that a command would change or read. */
const VALUES: Readonly<Record<string, () => Promise<string>>> = {
  cart: () => givenCartId(),
  endpoint: async () => (await givenEndpoint()).id,
  key: async () => apiKeyId(await stage.givenKey({ storeId: STORE, mode: 'live' })),
  mode: async () => 'live',
  payment: () => givenEvent(),
  store: async () => STORE,
};

/** The arguments with which a command succeeds, if they do not follow from its declaration: see {@link argumentsOf}. */
const ARGUMENTS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'keys set-limit': async () => [await VALUES['key']!(), '--limit', '5', '--window', '60'],
  'products put': async () => ['p', '--store', STORE, '--name', 'P', '--currency', 'EUR', '--price', '1'],
  'products import': async () => [catalogue(`imported-${randomUUID()}`)],
  'products enable': async () => [await stage.givenProduct()],
  'products disable': async () => [await stage.givenProduct()],
  'stores put': async () => ['new', '--name', 'ada@example.com'],
  'carts list': async () => ['--email', BUYER.email, '--store', STORE],
  'payments send': async () =>
    `--cart ${await givenCartId()} --result failed --provider-id ada@example.com`.split(' '),
  'buyers export': async () => ['--email', 'ada@example.com', '--state-file', stateFile()],
  'buyers erase': async () => {
    await givenCartId();
    return ['--email', BUYER.email, '--state-file', stateFile()];
  },
  'webhooks create': async () =>
    `--store ${STORE} --mode live --url https://shop.example/a --label A`.split(' '),
  'webhooks replay': async () => {
    const { id, storeId } = await givenEndpoint();
    await givenEvent(storeId);
    return [id, '--since', '2020-01-01T00:00:00Z'];
  },
  'dead-letters redrive': () => givenDeadLetter().then(() => []),
  'dead-letters remove': async () => [await givenDeadLetter()],
  stats: async () => ['--store', STORE, '--since', '2020-01-01T00:00:00Z'],
  'restore items': async () => {
    const restored = randomUUID();
    await prepareTable(stage.documents, restored, {
      name: restored,
      partitionKey: TABLES.carts.partitionKey,
    });
    await createCartRepository(stage.documents, restored, stage.clock.now).create(waitingCart());
    return ['--table', 'Carts', '--at', '2020-01-01T00:00:00Z', '--from', restored];
  },
  'restore events': async () => {
    const restored = randomUUID();
    await prepareTable(stage.documents, restored, TABLES.events);
    const Item = { log: `live#${STORE}`, sequence: 0, last: 1 };
    await stage.documents.send(new PutCommand({ TableName: restored, Item }));
    return ['--table', restored];
  },
};

/** The commands that change something without asking, because they do not change live mode. */
const CHANGES_WITHOUT_ASKING: Readonly<Record<string, 'has no mode' | 'is of test mode'>> = {
  'products put': 'has no mode',
  'products import': 'has no mode',
  'products enable': 'has no mode',
  'products disable': 'has no mode',
  'stores put': 'has no mode',
  'canary setup': 'is of test mode',
  accept: 'is of test mode',
};

/** The commands that work on a stage. */
const ALL = Object.entries(DECLARED).filter(([, { spec }]) => spec.stage !== 'none');

/**
 * Arguments with which a command succeeds on a deployed stage: a value of each required argument and option. A command that asks
 * would change something of live mode.
 */
const argumentsOf = async (words: string, { spec }: Command): Promise<readonly string[]> => {
  const stated = ARGUMENTS[words];
  if (stated) return stated();
  const valueOf = (name: string): Promise<string> =>
    VALUES[name]?.() ?? expect.fail(`Give \`${words}\` a row in ARGUMENTS: VALUES has no ${name}`);
  const needed = (parameters: Parameters = {}) =>
    Object.entries(parameters).filter(
      ([name, { isRequired }]) => isRequired === true || (spec.asks === true && name === 'mode'),
    );
  const args = needed(spec.arguments).map(([name]) => valueOf(name));
  const options = needed(spec.options).map(async ([name]) => [`--${wordOf(name)}`, await valueOf(name)]);
  return [...(await Promise.all(args)), ...(await Promise.all(options)).flat()];
};

/** The calls that change nothing, and those of the audit log itself. Any other call is a change. */
const HARMLESS =
  /^(?:Get|Query|Scan|BatchGet|Describe|ReceiveMessage|ChangeMessageVisibility|FilterLogEvents|PutLogEvents)/;

/** The tables of a stage that have few items, whatever the traffic. The others grow with it. */
const SMALL_TABLES = ['apiKeys', 'products', 'stores', 'webhookEndpoints'] as const;

/**
 * Whether a call names only tables of the stage, or of the command's arguments. Test files of one worker share the spy, and one
 * may still end its work.
 */
const isOfCommand = (input: object, args: readonly string[]): boolean => {
  const tables = new Set<unknown>([...Object.values(stage.tableNames), ...args]);
  const named = JSON.stringify(input).matchAll(/"TableName":"([^"]+)"/g);
  return [...named].every(([, name]) => tables.has(name));
};

/** Runs a command, and lists its calls that change something, with the audit records between them. */
const traceOf = async (args: readonly string[]) => {
  const send = vi.spyOn(Client.prototype, 'send');
  stage.aws.logs.events.length = 0;
  const ended = await stage.run([...args, '--json'], {
    sleep: deliverPings,
    environment: { PATH: `${folder}${delimiter}${process.env['PATH']}` },
  });
  // The other client is that of the functions, which `deliverPings` runs.
  const ofCommand = send.mock.calls.filter((_, index) => send.mock.contexts[index] !== stage.documents);
  const calls = ofCommand.map(([{ constructor, input }]) => ({
    name: constructor.name,
    isOfCommand: isOfCommand(input, args),
    ...(input as { logEvents?: readonly { message: string }[]; TableName?: string }),
  }));
  send.mockRestore();
  const trace = calls.flatMap(({ name, logEvents = [], ...call }) => {
    if (!HARMLESS.test(name)) return call.isOfCommand ? 'change' : [];
    return logEvents.map(({ message }) => (JSON.parse(message) as AuditRecord).outcome);
  });
  const small = new Set<unknown>(SMALL_TABLES.map((table) => stage.tableNames[table]));
  const firstScan = calls.findIndex(({ name, TableName }) => name === 'ScanCommand' && !small.has(TableName));
  const earlier = calls.slice(0, Math.max(firstScan, 0)).map(({ name }) => name);
  return {
    ended,
    trace: trace.filter((entry, index) => entry !== 'change' || trace[index - 1] !== entry),
    scansLargeTable: firstScan !== -1,
    statesCost: earlier.includes('DescribeTableCommand') && /\bread units?\b/.test(ended.stderr),
  };
};

test('every command that changes something asks first, except for those that do not change live mode', () => {
  const silent = ALL.filter(([, { spec }]) => spec.audits !== undefined && !spec.asks);
  expect(silent.map(([words]) => words).toSorted()).toStrictEqual(
    Object.keys(CHANGES_WITHOUT_ASKING).toSorted(),
  );
});

test('every row of arguments belongs to a command', () => {
  expect(ALL.map(([words]) => words)).toEqual(expect.arrayContaining(Object.keys(ARGUMENTS)));
});

describe('on a deployed stage', () => {
  const asking = ALL.filter(([, { spec }]) => spec.asks);

  test.each(asking)(
    '%s changes nothing of live mode before the operator confirms it',
    async (words, command) => {
      const args = await argumentsOf(words, command);
      const { ended, trace } = await traceOf([...words.split(' '), ...args]);

      expect({ ...ended, trace }).toMatchObject({ exitCode: 2, stdout: '', trace: [] });
      expect(saidIn(ended.stderr)).toMatch(/ needs a confirmation, .* --yes\.\n$/);
    },
  );

  // `status.test.ts` has the calls of `status`, which the stand-ins do not serve.
  test.each(ALL.filter(([words]) => words !== 'status'))(
    '%s states the cost of a large scan first, records what it changes, and prints its JSON',
    async (words, command) => {
      const { spec } = command;
      const args = [...(await argumentsOf(words, command)), ...(spec.asks ? ['--yes'] : [])];
      const { ended, trace, scansLargeTable, statesCost } = await traceOf([...words.split(' '), ...args]);

      expect(ended.exitCode, ended.stderr).toBe(0);
      expectForm(ended.stdout, spec.json);
      expect(statesCost).toBe(scansLargeTable);
      expect(trace).toStrictEqual(spec.audits === undefined ? [] : ['begun', 'change', 'done']);
      for (const record of records()) {
        expect(record).toMatchObject({ command: words, caller: CALLER });
        const names = Object.keys({ ...record.ids, ...record.result });
        expect(spec.audits?.split(' ')).toEqual(expect.arrayContaining(names));
      }
      // The operator's own name is the only text with an @.
      const lines = JSON.stringify(records().map((record) => ({ ...record, caller: '' })));
      expect(lines).not.toMatch(/cck_|whsec_|@|withheld/);
    },
  );
});
