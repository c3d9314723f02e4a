import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from '@smithy/core/client';
import type { Command } from 'commander';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { prepareTable } from '../../../infra/local/prepare-table.ts';
import { paymentTablesOf } from '../../../infra/payment-tables.ts';
import type { AuditRecord } from '../../../infra/operate/audit/audit-log.ts';
import { createProgram } from '../../../infra/operate/program.ts';
import { TABLES } from '../../../infra/tables.ts';
import { apiKeyId, type Mode } from '../../../lib/api-keys/api-key.ts';
import { parsePaymentEvent } from '../../../lib/carts/payment-event.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import { createPaymentStores, inStoresOf } from '../../../lib/carts/payment-stores.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import type { DeliveryMessage } from '../../../lib/webhooks/delivery.ts';
import { CALLER } from '../../support/audit-stand-in.ts';
import type { BusEntry } from '../../support/aws-stand-in.ts';
import { BUS_AND_QUEUES, givenOperatedService, type OperatedService } from '../../support/operate.ts';
import { waitingCart } from '../../support/payments.ts';
import { BUYER } from '../../support/secrets.ts';

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
      CanaryTable: stage.tableNames.secrets,
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
  stage.aws.onEvent(recordFromBus);
});

const givenKeyId = async (mode: Mode = 'test'): Promise<string> =>
  apiKeyId(await stage.givenKey({ storeId: STORE, mode }));

const givenEndpoint = async (): Promise<string> => {
  const flags = ['--store', STORE, '--mode', 'test', '--url', 'https://shop.example/hook'];
  const { webhooks } = await stage.runJson<{ webhooks: { id: string }[] }>(
    'webhooks',
    'list',
    '--store',
    STORE,
  );
  return webhooks[0]?.id ?? String((await stage.runJson('webhooks', 'create', ...flags))['id']);
};

const givenCartId = async (): Promise<string> =>
  (await stage.carts.test.create(waitingCart({ mode: 'test', storeId: STORE }))).cart.id;

/** Records the events of the bus, as the function of a stage does. */
const recordFromBus = async ({ DetailType, Detail }: BusEntry): Promise<undefined> => {
  const stores = createPaymentStores(stage.documents, paymentTablesOf(stage.tableNames), stage.clock);
  const parsed = parsePaymentEvent(`{"detail-type":"${DetailType}","detail":${Detail}}`, stage.clock.now());
  if (parsed.ok) await inStoresOf(parsed.event, stores, recordPayment);
};

/** Completes a cart, which is an event of its store. */
const givenEvent = async (): Promise<void> => {
  await stage.runJson('payments', 'send', '--cart', await givenCartId(), '--result', 'succeeded');
};

/** Puts a payment event that the stage would record now into the queue of dead letters. Returns its message id. */
const givenDeadLetter = async (): Promise<string> => {
  const detail = {
    eventId: randomUUID(),
    cartId: await givenCartId(),
    mode: 'test',
    paymentId: randomUUID(),
  };
  const price = { amount: 19.99, currency: 'EUR', occurredAt: new Date(stage.clock.now()).toISOString() };
  const letter = { 'detail-type': 'payment.succeeded', source: 'payments', detail: { ...detail, ...price } };
  stage.aws.queues.put(BUS_AND_QUEUES.DeadLetterQueueUrl, JSON.stringify(letter));
  const { deadLetters } = await stage.runJson<{ deadLetters: { messageId: string }[] }>(
    'dead-letters',
    'list',
  );
  return deadLetters[0]!.messageId;
};

/** Delivers each ping, as the function of a stage does. */
const deliverPings = async (): Promise<void> => {
  const deliveries = createDeliveryStore(stage.documents, stage.tableNames.deliveries);
  const nowMs = stage.clock.now();
  for (const body of stage.aws.queues.bodies(BUS_AND_QUEUES.DeliveryQueueUrl)) {
    const message = JSON.parse(body) as DeliveryMessage;
    const attempt = { atMs: nowMs, attempt: 1, status: 200, ms: 1 };
    await deliveries.record(message, { status: 'succeeded', attempt }, nowMs);
  }
};

const catalogue = (id: string): string => {
  const file = join(folder, 'catalogue.csv');
  writeFileSync(file, `id,store,name,currency,price\n${id},${STORE},Course,EUR,5\n`);
  return file;
};

/** Each command that succeeds on a deployed stage, and whether it changes something. */
const COMMANDS: Readonly<Record<string, readonly ['changes' | 'reads', () => Promise<readonly string[]>]>> = {
  'keys issue': ['changes', async () => ['--store', STORE]],
  'keys list': ['reads', async () => []],
  'keys rotate': ['changes', async () => [await givenKeyId()]],
  'keys set-limit': ['changes', async () => [await givenKeyId(), '--limit', '5', '--window', '60']],
  'keys refill': ['changes', async () => [await givenKeyId()]],
  'keys revoke': ['changes', async () => [await givenKeyId('live'), '--yes']],
  'products put': [
    'changes',
    async () => ['p', '--store', STORE, '--name', 'P', '--currency', 'EUR', '--price', '1'],
  ],
  'products import': ['changes', async () => [catalogue(`imported-${randomUUID()}`)]],
  'products list': ['reads', async () => []],
  'products enable': ['changes', async () => [await stage.givenProduct()]],
  'products disable': ['changes', async () => [await stage.givenProduct()]],
  'stores put': ['changes', async () => ['new', '--name', 'ada@example.com']],
  'stores list': ['reads', async () => []],
  'stores fill': [
    'changes',
    async () => {
      await stage.givenKey({ storeId: `unfilled-${randomUUID()}` });
      return [];
    },
  ],
  'carts show': ['reads', async () => [await givenCartId()]],
  'carts list': ['reads', async () => ['--store', STORE]],
  'carts schedule-expiries': [
    'changes',
    async () => {
      await givenCartId();
      return ['--since', '2020-01-01T00:00:00Z'];
    },
  ],
  'payments send': [
    'changes',
    async () => ['--cart', await givenCartId(), '--result', 'failed', '--event-id', 'ada@example.com'],
  ],
  'buyers export': [
    'reads',
    async () => ['--email', 'ada@example.com', '--state-file', join(folder, 'search')],
  ],
  'buyers erase': [
    'changes',
    async () => {
      await givenCartId();
      return ['--email', BUYER.email, '--state-file', join(folder, 'search'), '--yes'];
    },
  ],
  'buyers schedule-erasures': [
    'changes',
    async () => {
      await givenEvent();
      return ['--yes'];
    },
  ],
  'webhooks create': [
    'changes',
    async () => ['--store', STORE, '--mode', 'test', '--url', 'https://shop.example/a', '--label', 'A'],
  ],
  'webhooks list': ['reads', async () => []],
  'webhooks test': ['changes', async () => [await givenEndpoint()]],
  'webhooks rotate': ['changes', async () => [await givenEndpoint()]],
  'webhooks disable': ['changes', async () => [await givenEndpoint()]],
  'webhooks enable': ['changes', async () => [await givenEndpoint()]],
  'webhooks deliveries': ['reads', async () => [await givenEndpoint()]],
  'webhooks replay': [
    'changes',
    async () => {
      await givenEvent();
      return [await givenEndpoint(), '--since', '2020-01-01T00:00:00Z'];
    },
  ],
  'webhooks remove': ['changes', async () => [await givenEndpoint()]],
  'dead-letters list': ['reads', async () => []],
  'dead-letters redrive': [
    'changes',
    async () => {
      await givenDeadLetter();
      return [];
    },
  ],
  'dead-letters remove': ['changes', async () => [await givenDeadLetter()]],
  'audit list': ['reads', async () => []],
  stats: ['reads', async () => ['--store', STORE, '--since', '2020-01-01T00:00:00Z']],
  'canary setup': ['changes', async () => []],
  restore: [
    'changes',
    async () => {
      const restored = randomUUID();
      await prepareTable(stage.documents, restored, {
        name: restored,
        partitionKey: TABLES.testCarts.partitionKey,
      });
      await createCartStore(stage.documents, restored).create(waitingCart({ mode: 'test' }));
      return ['--table', 'TestCarts', '--at', '2020-01-01T00:00:00Z', '--from', restored];
    },
  ],
  accept: ['changes', async () => []],
};

/** Every command of the program that works on a stage, by its words. */
const commandsOf = (command: Command, words: readonly string[] = []): string[] => {
  if (command.commands.length > 0)
    return command.commands.flatMap((each) => commandsOf(each, [...words, each.name()]));
  return command.options.some(({ long }) => long === '--stage') ? [words.join(' ')] : [];
};

const { stdin, stdout, stderr } = process;
const stopSignal = () => new AbortController().signal;
const ALL = commandsOf(createProgram({ stdin, stdout, stderr, now: Date.now, stopSignal }));

/** The calls that change nothing, and those of the audit log itself. Any other call is a change. */
const HARMLESS =
  /^(?:Get|Query|Scan|BatchGet|Describe|ReceiveMessage|ChangeMessageVisibility|FilterLogEvents|PutLogEvents)/;

/** Runs a command, and lists its calls of AWS that change something, with the audit records between them. */
const traceOf = async (args: readonly string[]) => {
  const send = vi.spyOn(Client.prototype, 'send');
  stage.aws.logs.events.length = 0;
  const ended = await stage.run([...args, '--json'], {
    sleep: deliverPings,
    environment: { PATH: `${folder}${delimiter}${process.env['PATH']}` },
  });
  const trace = send.mock.calls.flatMap(([{ constructor, input }]) => {
    const { logEvents = [] } = input as { logEvents?: readonly { message: string }[] };
    if (!HARMLESS.test(constructor.name)) return 'change';
    return logEvents.map(({ message }) => (JSON.parse(message) as AuditRecord).outcome);
  });
  send.mockRestore();
  return { ended, trace: trace.filter((entry, index) => entry !== 'change' || trace[index - 1] !== entry) };
};

test('every command on a stage is in the table', () => {
  expect(Object.keys(COMMANDS).toSorted()).toStrictEqual(ALL.toSorted());
});

describe('on a deployed stage', () => {
  test.each(ALL)('%s records what it changes, before and after', async (words) => {
    const [kind, argsOf] = COMMANDS[words]!;
    const args = await argsOf();
    const { ended, trace } = await traceOf([...words.split(' '), ...args]);

    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(trace).toStrictEqual(kind === 'changes' ? ['begun', 'change', 'done'] : []);
    for (const record of records()) expect(record).toMatchObject({ command: words, caller: CALLER });
    // The operator's own name is the only text with an @.
    const lines = JSON.stringify(records().map((record) => ({ ...record, caller: '' })));
    expect(lines).not.toMatch(/cck_|whsec_|@|withheld/);
  });
});
