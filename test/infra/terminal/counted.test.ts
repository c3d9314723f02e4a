import { expect, test } from 'vitest';
import { counted } from '../../../infra/terminal/counted.ts';

test.each([
  [0, '0 carts', '0 deliveries'],
  [1, '1 cart', '1 delivery'],
  [2, '2 carts', '2 deliveries'],
  [12_345, '12,345 carts', '12,345 deliveries'],
])('%i', (count, carts, deliveries) => {
  expect([counted(count, 'cart'), counted(count, 'delivery', 'deliveries')]).toStrictEqual([
    carts,
    deliveries,
  ]);
});
