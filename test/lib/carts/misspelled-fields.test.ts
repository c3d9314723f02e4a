import { expect, it } from 'vitest';
import { misspelledFields } from '../../../lib/carts/misspelled-fields.ts';
import { BUYER } from '../../support/secrets.ts';

it.each([
  ['redirectUrl', 'redirectURL'],
  ['redirect_url', 'redirectURL'],
  ['REDIRECT-URL', 'redirectURL'],
  ['redirect url', 'redirectURL'],
  ['product document id', 'productDocumentId'],
  ['redirectURI', 'redirectURL'],
  ['redirectURLs', 'redirectURL'],
  ['product_id', 'productDocumentId'],
  ['productId', 'productDocumentId'],
  ['productDocumentID', 'productDocumentId'],
  ['product_document_ids', 'productDocumentId'],
  ['first_name', 'firstName'],
  ['firsName', 'firstName'],
  ['Lastname', 'lastName'],
  ['customer_price', 'customerPrice'],
  ['customerPrice_', 'customerPrice'],
  ['e-mail', 'email'],
  ['mail', 'email'],
  ['emaiL', 'email'],
  ['Phone', 'phone'],
  ['_META_', 'meta'],
  ['phones', 'phone'],
])(
  'an unknown field that is one edit or spelling away from an absent field is misspelled: %s',
  (sent, meant) => {
    expect(misspelledFields({ [sent]: 'x' })).toStrictEqual([{ sent, meant }]);
    expect(misspelledFields({ [sent]: 'x', [meant]: null }), 'null counts as absent').toHaveLength(1);
  },
);

it.each(['redirectUrl', 'product_id', 'customerprice'])(
  'an unknown field beside the right one is not misspelled: %s',
  (sent) => {
    const all = { ...BUYER, productDocumentId: 'course', redirectURL: '', meta: {}, customerPrice: 0 };
    expect(misspelledFields({ ...all, [sent]: 'x' })).toStrictEqual([]);
  },
);

it.each([
  'return_url',
  'redirect',
  'name',
  'product',
  'metadata',
  'emial',
  'fullName',
  '',
  '_',
  'emaîl',
  'e\u0000mail',
])('a field with another name is not misspelled: %j', (name) => {
  expect(misspelledFields({ [name]: 'x' })).toStrictEqual([]);
});

const OTHER_WORDS = 'beta eta met metal mega metas iphone shone gmail mails hone'.split(' ');

it.each(OTHER_WORDS)('a name that may be a word of its own is not misspelled: %s', (name) => {
  expect(misspelledFields({ [name]: 'x' })).toStrictEqual([]);
});

it('reports each misspelled field, but compares only the first 20 unknown names of at most 40 characters', () => {
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`other${i}`, 1]));
  const long = { [`phone${'_'.repeat(36)}`]: 1, [`x${'_'.repeat(40)}`]: 1 };
  expect(misspelledFields({ ...long, Phone: 1, Email: 1, e_mail: 1 }).map(({ sent }) => sent)).toStrictEqual([
    'Phone',
    'Email',
    'e_mail',
  ]);
  expect(misspelledFields({ ...BUYER, email: 'a', ...unknown(19), Meta: 1 })).toHaveLength(1);
  expect(misspelledFields({ ...BUYER, email: 'a', ...unknown(20), Meta: 1 })).toStrictEqual([]);
});

it.each([undefined, null, 'email', 5, [], ['x']])(
  'a body that is no object has no misspelled field: %j',
  (body) => {
    expect(misspelledFields(body)).toStrictEqual([]);
  },
);
