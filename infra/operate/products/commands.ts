import { UsageError } from '../../terminal/command-line.ts';
import { define } from '../frame/command.ts';
import { flag, optional, required } from '../frame/parameter.ts';
import { AMOUNT, anyText, FILE, ID } from '../frame/value-types.ts';
import { STORE } from '../shared/store-values.ts';

/** A product file for the demo stores of the local stage: a fixed price, free pricing, and a product not yet on sale. */
export const EXAMPLE_CSV = `id,store,name,currency,price,minimum,suggested,available
example-course,demo-store-one,Course,EUR,19.99,,,
example-gift,demo-store-one,"Gift, any amount",EUR,free,1,5,
example-poster,demo-store-two,Poster,JPY,1500,,,false
`;

const PRODUCT_JSON = 'id storeId name available currency pricing';

const AVAILABILITY = {
  arguments: { id: required(ID, "the product's id") },
  audits: 'productId',
  json: 'id available',
} as const;

export const PRODUCTS = {
  put: define(
    {
      summary: 'store a product; replaces an earlier one with that id',
      arguments: { id: required(ID, 'the product id: productDocumentId in requests') },
      options: {
        store: required(STORE, 'the store that sells it'),
        name: required(anyText('text'), 'the name that buyers see, 1 to 200 characters'),
        currency: required(anyText('code'), 'ISO 4217, such as EUR'),
        price: optional(AMOUNT, 'a fixed price'),
        free: flag('free pricing: the buyer chooses'),
        minimum: optional(AMOUNT, 'with --free: the lowest price that a buyer may choose'),
        suggested: optional(AMOUNT, 'with --free: the price if the buyer chooses none'),
        unavailable: flag('do not sell it yet'),
      },
      audits: 'productId storeId',
      json: PRODUCT_JSON,
      example: "products put course-1 --store shop --name 'Course' --currency EUR --price 19.99",
      notes:
        'It replaces all fields of an earlier product with that id. Carts keep the price of their creation.',
    },
    ({ price, free, minimum, suggested }) => {
      if ((price !== undefined) === free) throw new UsageError('Pass either --price or --free.');
      if (!free && (minimum !== undefined || suggested !== undefined)) {
        throw new UsageError('A fixed price has no --minimum and no --suggested: use them with --free.');
      }
    },
  ),
  import: define(
    {
      summary: 'store the products of a file: all of them, or none if any is invalid',
      arguments: { file: required(FILE, 'a .csv or a .json file') },
      audits: 'count productIds',
      json: 'stored bad?(place faults)',
      example: 'products import catalogue.csv',
      notes: `\
A CSV file is UTF-8 with commas. Its first line names the columns. An example for the demo stores of the local stage:

  ${EXAMPLE_CSV.trimEnd().replaceAll('\n', '\n  ')}

The price is an amount, or the word free. The columns minimum, suggested and available (default: true) are optional.
A JSON file holds an array of products, such as \`products list --json\` prints.

It checks all products first. If any is invalid, it stores nothing and lists the invalid ones.
Each store must exist: add it with \`stores put\` first.
A product replaces all fields of the one with its id. Products that the file does not name stay as they are.
To resume an interrupted import (Ctrl-C, a lost connection), run the same command again: it stores everything once more.`,
    },
    ({ file }) => {
      if (!/\.(?:csv|json)$/i.test(file)) throw new UsageError('The file name must end in .csv or .json.');
    },
  ),
  list: define({
    summary: 'list products; reads the whole table',
    options: { store: optional(STORE, 'only the products of this store') },
    json: `products(${PRODUCT_JSON}) unreadable?`,
    example: 'products list --store shop',
  }),
  enable: define({
    ...AVAILABILITY,
    summary: 'put a product on sale',
    example: 'products enable course-1',
    notes: 'It takes effect within about a second.',
  }),
  disable: define({
    ...AVAILABILITY,
    summary: 'take a product off sale',
    example: 'products disable course-1',
    notes: `\
Within about a second, create requests get 400 INVALID_PRODUCT. Existing carts can still be paid.`,
  }),
};
