import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Cart } from '../../../lib/carts/cart.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { givenSandbox, type PageResponse } from './sandbox.ts';

const sandbox = await givenSandbox();

/** The page of a new cart. */
const showCart = async (changes: Partial<Cart>): Promise<PageResponse> =>
  sandbox.show(await sandbox.givenCart(changes));

it.each(Object.entries(HOSTILE_TEXTS))(
  'a text of a merchant or a buyer is only text on the page: %s',
  async (_, text) => {
    const storeId = `store-${randomUUID()}`;
    await sandbox.stores.put({ id: storeId, name: text, createdAtMs: 0 });
    const { body } = await showCart({
      storeId,
      productName: text,
      customerInfo: { firstName: text, lastName: text, email: `${text}@${text}`, phone: text, lang: text },
      meta: { [text]: text },
      returnUrl: undefined,
    });
    const plain = await showCart({
      customerInfo: { firstName: 'a', lastName: 'b', email: 'c@d', phone: 'e' },
      returnUrl: undefined,
    });
    const tags = (page: string): string[] => page.match(/<[^>]*>/g) ?? [];
    expect(tags(body)).toStrictEqual(tags(plain.body));
    expect(body.match(/<bdi[ >]/g)).toHaveLength(8);
  },
);
