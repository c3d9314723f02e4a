import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, expect, it } from 'vitest';
import { createLogPositions, createEventStream } from '../../../../infra/local/aws/event-stream.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { toEventItem } from '../../../../lib/events/event-item.ts';
import { eventOfRecord } from '../../../../lib/events/fan-out-records.ts';
import type { LoggedEvent } from '../../../../lib/events/logged-event.ts';
import { givenDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { putItems } from '../../../support/database/put-items.ts';
import { event } from '../../../support/domain/logged-events.ts';

const LOG = { storeId: 'store-1', mode: 'live' } as const;

type Respond = (sequences: readonly number[]) => DynamoDBBatchResponse | Promise<DynamoDBBatchResponse>;

let database: TestDatabase;
let localStateTable: string;
let positions: ReturnType<typeof createLogPositions>;
let passed: LoggedEvent[][];

beforeEach(async () => {
  database = await givenDatabase();
  localStateTable = randomUUID();
  await prepareTable(database.documents, localStateTable, LOCAL_STATE_TABLE);
  positions = createLogPositions(database.documents, localStateTable);
  passed = [];
});

/** The source of a process. The records are parsed as the function does. */
const givenSource = (respond: Respond = () => ({ batchItemFailures: [] })) =>
  createEventStream({
    documents: database.documents,
    eventsTable: database.tableNames.events,
    localStateTable,
    invoke: async ({ Records }: DynamoDBStreamEvent) => {
      const events = Records.map((record) => {
        const parsed = eventOfRecord(record);
        if (!parsed) throw new Error('The record has no event');
        return parsed;
      });
      passed.push(events);
      return respond(events.map(({ sequence }) => sequence));
    },
  });

const store = (events: readonly LoggedEvent[]): Promise<void> =>
  putItems(database.documents, database.tableNames.events, events.map(toEventItem));

const events = (first: number, last: number): LoggedEvent[] =>
  Array.from({ length: last - first + 1 }, (_, index) => event(first + index));

const failAt = (sequence: number): DynamoDBBatchResponse => ({
  batchItemFailures: [{ itemIdentifier: String(sequence) }],
});

it('the function gets the events of a log as its stream has them: in order, once, up to 100 at a time', async () => {
  await store(events(1, 130));
  const Item = { log: 'live#store-1', sequence: 0, last: 130, lastRecordedAtMs: 130 };
  await database.documents.send(new PutCommand({ TableName: database.tableNames.events, Item }));
  await store([event(1, { storeId: 'other' })]);
  const drain = givenSource();
  await drain(LOG);
  expect(passed).toEqual([events(1, 100), events(101, 130)]);
  await drain(LOG);
  expect(passed).toHaveLength(2);
  expect(await positions.read(LOG)).toBe(130);
});

it('the position moves only after the function has handled the events', async () => {
  await store(events(1, 2));
  const atInvocation: number[] = [];
  const respond: Respond = async () => {
    atInvocation.push(await positions.read(LOG));
    throw new Error('The function died');
  };
  await expect(givenSource(respond)(LOG)).rejects.toThrow('The function died');
  expect([atInvocation, await positions.read(LOG)]).toEqual([[0], 0]);
  await givenSource()(LOG);
  expect(passed).toEqual([events(1, 2), events(1, 2)]);
  expect(await positions.read(LOG)).toBe(2);
});

it('after a failed record, the next run begins with it', async () => {
  await store(events(1, 3));
  let failing = 2;
  const drain = givenSource(() => (failing === 0 ? { batchItemFailures: [] } : failAt(failing)));
  await drain(LOG);
  expect(await positions.read(LOG)).toBe(1);
  failing = 0;
  await drain(LOG);
  expect(passed).toEqual([events(1, 3), events(2, 3)]);
});

it('a failed first record moves no position, and is not retried at once', async () => {
  await store(events(1, 2));
  await givenSource(() => failAt(1))(LOG);
  expect([passed.length, await positions.read(LOG)]).toEqual([1, 0]);
});

it('calls during a run cause one more run, which has the events that came meanwhile', async () => {
  await store(events(1, 1));
  const running = Promise.withResolvers<DynamoDBBatchResponse>();
  const drain = givenSource(([first]) => (first === 1 ? running.promise : { batchItemFailures: [] }));
  const first = drain(LOG);
  await expect.poll(() => passed.length, { interval: 5 }).toBe(1);
  await store(events(2, 2));
  await Promise.all([drain(LOG), drain(LOG)]);
  running.resolve({ batchItemFailures: [] });
  await first;
  expect(passed).toEqual([events(1, 1), events(2, 2)]);
});

it('a position belongs to one log', async () => {
  expect(await positions.read(LOG)).toBe(0);
  await positions.move(LOG, 7);
  expect(await positions.read(LOG)).toBe(7);
  expect(await positions.read({ ...LOG, mode: 'test' })).toBe(0);
});
