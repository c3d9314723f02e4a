import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { loadContract, PUBLIC_OPERATIONS, type PublicOperation } from '../../../infra/contract/contracts.ts';
import { contractDocument } from '../../../infra/contract/document.ts';
import type { FieldsOf } from '../../../lib/fields-of.ts';

type Request = NonNullable<PublicOperation['request']>;

/** An operation that no other file knows: a list of notes, or the creation of one. */
const givenOperation = (changes: Partial<PublicOperation> = {}): PublicOperation => ({
  operationId: 'listNotes',
  method: 'GET',
  path: '/api/v1/notes',
  functionName: 'notes',
  caller: 'merchant',
  tag: 'Carts',
  summary: 'Lists notes.',
  description: 'Lists the notes of your store.',
  parameters: [
    { name: 'limit', in: 'query', description: 'At most', schema: z.number().check(z.maximum(9)) },
  ],
  response: {
    status: 200,
    description: 'The notes',
    schema: z
      .object({ notes: z.array(z.object({ text: z.string() }).check(z.meta({ id: 'Note' }))) })
      .check(z.meta({ id: 'NoteList' })),
    examples: { one: { summary: 'One note', value: { notes: [{ text: 'a' }] } } },
  },
  errors: ['invalidPayload'],
  ...changes,
});

const givenRequest = (note: z.ZodMiniType, changes: Partial<Request> = {}): PublicOperation => {
  const schema = z.object({ note: z.optional(note) }).check(z.meta({ id: 'CreateNoteRequest' }));
  const request = { description: 'A note', schema, fields: { note: 'The note' }, examples: {}, ...changes };
  return givenOperation({ operationId: 'createNote', method: 'POST', request });
};

const document = (...operations: PublicOperation[]) =>
  contractDocument(undefined, [...PUBLIC_OPERATIONS, ...operations]) as {
    paths: Record<string, Record<string, { operationId: string; parameters: unknown; responses: object }>>;
    components: { schemas: Record<string, { properties: object }> };
  };

describe('a new operation', () => {
  test('without a contract fails with the file to add', async () => {
    await expect(loadContract('listCarts', 'list-carts')).rejects.toThrow(
      'The operation listCarts has no contract: add functions/list-carts/contract.ts',
    );
  });

  test('served by a function that has the contract of another operation fails with the export to add', async () => {
    await expect(loadContract('listCarts', 'get-cart')).rejects.toThrow(
      'The operation listCarts has no contract: export listCarts from functions/get-cart/contract.ts',
    );
  });

  test('appears in the document with its parameters, components and errors', () => {
    const { paths, components } = document(givenOperation());

    const operation = paths['/api/v1/notes']?.['get'];
    expect(operation?.parameters).toMatchObject([{ in: 'query', required: false, schema: { maximum: 9 } }]);
    expect(Object.keys(operation?.responses ?? {})).toStrictEqual(
      expect.arrayContaining(['200', '401', '422', '429', '503']),
    );
    expect(components.schemas).toHaveProperty('Note');
    expect(components.schemas).toHaveProperty('NoteList');
  });

  test('may share its path with another one', () => {
    const { paths } = document(givenOperation(), givenRequest(z.string()));

    expect(paths['/api/v1/notes']).toMatchObject({
      get: { operationId: 'listNotes' },
      post: { operationId: 'createNote' },
    });
  });

  test('whose body has no name, or the name of another body, fails', () => {
    const { response } = givenOperation();
    const named = (schema: z.ZodMiniType) => () =>
      document(givenOperation({ response: { ...response, schema } }));

    expect(named(z.string())).toThrow(
      "The schema of the response of listNotes has no name: add .check(z.meta({ id: 'Name' }))",
    );
    expect(named(z.string().check(z.meta({ id: 'Cart' })))).toThrow(
      'Two components of the contract are named Cart: rename one of them',
    );
  });
});

describe('a new field of a request', () => {
  test('without a description fails with its name', () => {
    expect(() => document(givenRequest(z.string(), { fields: {} }))).toThrow(
      'Describe note in the contract of the request of createNote',
    );
  });

  test.each<[string, z.ZodMiniType, RegExp]>([
    [
      'a refinement',
      z.string().check(z.refine((note) => note.length < 9)),
      /lacks a bound of note:.*z\.meta/,
    ],
    ['a refinement of an entry', z.array(z.string().check(z.refine(Boolean))), /a bound of note\.items/],
    [
      'a refinement after a stated one',
      z.string().check(z.refine(Boolean), z.meta({ minLength: 1 }), z.refine(Boolean)),
      /a bound of note/,
    ],
    ['a pipe', z.pipe(z.string().check(z.trim()), z.string().check(z.maxLength(9))), /a bound of note/],
  ])('with a bound that JSON Schema cannot see fails with its name: %s', (_kind, note, message) => {
    expect(() => document(givenRequest(note))).toThrow(message);
  });

  test('has its bounds in the document', () => {
    const bounds = (note: z.ZodMiniType) =>
      document(givenRequest(note)).components.schemas['CreateNoteRequest']?.properties;

    expect(bounds(z.string().check(z.maxLength(9)))).toMatchObject({ note: { maxLength: 9 } });
    expect(bounds(z.string().check(z.refine(Boolean), z.meta({ minLength: 1 })))).toMatchObject({
      note: { minLength: 1 },
    });
  });
});

test('a new field of a response fails the compiler until its schema has it', () => {
  interface View {
    readonly id: string;
    readonly note?: string | undefined;
  }

  expectTypeOf<{ id: z.ZodMiniType<string> }>().not.toExtend<FieldsOf<View>>();
  expectTypeOf<{ id: z.ZodMiniType<string>; note: z.ZodMiniType<string> }>().toExtend<FieldsOf<View>>();
});
