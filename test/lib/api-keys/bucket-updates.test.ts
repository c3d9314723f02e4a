import { expect, test } from 'vitest';
import { BUCKET_ATTRIBUTES, emptyUpdate, takeUpdate } from '../../../lib/api-keys/bucket-updates.ts';

const NOW_MS = 1_790_000_000_000;

/** The attributes that the expressions of an update name: neither placeholders of values nor functions. */
const attributesIn = (update: ReturnType<typeof takeUpdate | typeof emptyUpdate>): string[] => {
  const names = 'ExpressionAttributeNames' in update ? (update.ExpressionAttributeNames as object) : {};
  const text = `${update.UpdateExpression} ${update.ConditionExpression}`;
  return [...text.matchAll(/(?<![\w:#])#?[a-z_]\w*\b(?!\s*\()/gi)]
    .map(([name]) => (names as Record<string, string>)[name] ?? name)
    .filter((name) => !/^(?:SET|ADD|REMOVE|DELETE|AND|OR|NOT|IN|BETWEEN)$/i.test(name));
};

test('the role of a function may update exactly the attributes that the updates name', () => {
  const busy = { limit: 2, windowSeconds: 60, tatMicros: (NOW_MS + 1_000) * 1_000 };
  const takes = [undefined, busy].map((bucket) => takeUpdate(bucket, NOW_MS, 'taker'));
  const updates = [...takes, emptyUpdate(busy, NOW_MS)];
  expect(new Set(updates.map(({ UpdateExpression }) => UpdateExpression)).size).toBe(3);
  expect(
    [...new Set(updates.flatMap(attributesIn))].toSorted(),
    'Make ATTRIBUTE in lib/api-keys/bucket-updates.ts equal to the attributes in the expressions',
  ).toStrictEqual(BUCKET_ATTRIBUTES.toSorted());
});

test('the role of a function may not change the revocation, expiry or owner of a key', () => {
  const readOnly = new Set(['revokedAtMs', 'expiresAtMs', 'storeId', 'mode', 'label', 'lang', 'createdAtMs']);
  expect(BUCKET_ATTRIBUTES.filter((name) => readOnly.has(name))).toStrictEqual([]);
});
