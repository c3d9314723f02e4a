import type { MisspelledField } from '../core/invalid-field.ts';
import { createCartRequestSchema } from './create-cart-request.ts';

/** Bounds the work for a hostile body. */
const COMPARED_NAMES_MAX = 20;

/** A name that a message may repeat. */
const COMPARED_NAME = /^[\w -]{1,40}$/;

const FIELDS = Object.keys(createCartRequestSchema.shape);

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[ _-]/g, '');

/** The spellings of each field, without case and separators. */
const SPELLINGS: readonly (readonly [letters: string, field: string])[] = [
  ...FIELDS.map((field) => [lettersOf(field), field] as const),
  // The fields' names in many other APIs.
  ['productid', 'productDocumentId'],
  ['mail', 'email'],
];

/** Most words of four letters become other words by one edit: `meta` becomes `beta`, `met` and `metal`. */
const EDITED_LETTERS_MIN = 5;

/**
 * Whether a name is the field's, or becomes it by one insertion, deletion or replacement of a letter. The first letter must be
 * right: `iphone` is a word of its own.
 */
const isSimilar = (field: string, name: string): boolean => {
  if (field === name) return true;
  return field.length >= EDITED_LETTERS_MIN && field[0] === name[0] && isOneEdit(field, name);
};

/** Whether two different texts are one edit apart. */
const isOneEdit = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return long.slice(same + 1) === short.slice(short.length === long.length ? same + 1 : same);
};

/**
 * The unknown fields of a create request with a name similar to that of an absent field, such as `redirect_url`. A field beside
 * the right one is not misspelled. Only the first 20 names of at most 40 characters are compared.
 */
export const misspelledFields = (body: unknown): readonly MisspelledField[] => {
  if (typeof body !== 'object' || body === null) return [];
  const values = new Map<string, unknown>(Object.entries(body));
  const unknown = [...values.keys()].filter((name) => !FIELDS.includes(name) && COMPARED_NAME.test(name));
  if (unknown.length === 0) return [];
  const absent = SPELLINGS.filter(([, field]) => (values.get(field) ?? null) === null);
  return unknown.slice(0, COMPARED_NAMES_MAX).flatMap((sent) => {
    const [, meant] = absent.find(([letters]) => isSimilar(letters, lettersOf(sent))) ?? [];
    return meant === undefined ? [] : [{ sent, meant }];
  });
};
