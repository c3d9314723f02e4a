import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { UnreadableItemError } from '../../../lib/database/readable-item.ts';
import { createManualReportRepository } from '../../../lib/operators/manual-report-repository.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { payment, refund, waitingCart } from '../../support/domain/payments.ts';

const { documents, tableNames } = await givenDatabase();
const reports = createManualReportRepository(documents, tableNames.carts);

it('stores a report only if nobody has stored another one since', async () => {
  const cart = waitingCart();
  const [first, second, third] = [payment(), payment(), refund({ paymentId: randomUUID() })];
  expect(await reports.find(cart)).toStrictEqual([]);

  expect(await reports.add(cart, [], first)).toBe(true);
  expect(await reports.add(cart, [], second)).toBe(false);
  expect(await reports.add(cart, [first], third)).toBe(true);
  expect(await reports.add(cart, [first], second)).toBe(false);

  expect(await reports.find(cart)).toStrictEqual([first, third]);
});

it('the reports have ids, amounts and times, and the time to live that the cart has', async () => {
  const { deleteAtSeconds, ...cart } = waitingCart({ deleteAtSeconds: 1_900_000_000 });
  const reported = payment();
  const itemOf = async () =>
    (await documents.send(new GetCommand({ TableName: tableNames.carts, Key: { id: `reports#${cart.id}` } })))
      .Item;

  await reports.add({ ...cart, deleteAtSeconds }, [], reported);
  const item = { id: `reports#${cart.id}`, cartId: cart.id, createdAtMs: cart.createdAtMs };
  expect(await itemOf()).toStrictEqual({ ...item, deleteAtSeconds, reports: [reported] });

  const further = refund({ paymentId: reported.paymentId });
  await reports.add(cart, [reported], further);
  expect(await itemOf()).toStrictEqual({ ...item, reports: [reported, further] });
});

it('a new cart with the id of a deleted one has none of its reports', async () => {
  const deleted = waitingCart();
  await reports.add(deleted, [], payment());
  const cart = { ...deleted, createdAtMs: deleted.createdAtMs + 1 };
  expect(await reports.find(cart)).toStrictEqual([]);

  const reported = payment();
  expect(await reports.add(cart, [], reported)).toBe(true);
  expect(await reports.find(cart)).toStrictEqual([reported]);
});

it('an item without a list of reports is rejected', async () => {
  const { id, createdAtMs } = waitingCart();
  const Item = { id: `reports#${id}`, createdAtMs, reports: 'none' };
  await documents.send(new PutCommand({ TableName: tableNames.carts, Item }));
  await expect(reports.find(waitingCart({ id, createdAtMs }))).rejects.toThrow(UnreadableItemError);
});
