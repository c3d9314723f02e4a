import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { loadContract, PUBLIC_OPERATIONS, type PublicOperation } from '../../../infra/contract/contracts.ts';
import { contractDocument } from '../../../infra/contract/document.ts';
import type { FieldsOf } from '../../../lib/schemas/view-fields.ts';

const NOTE = z.object({ text: z.string() }).check(z.meta({ id: 'Note' }));

const NOTE_LIST = z.object({ notes: z.array(NOTE) }).check(z.meta({ id: 'NoteList' }));

/** An operation that no other file knows. */
const listNotes = (schema: z.ZodMiniType = NOTE_LIST): PublicOperation => ({
  ...PUBLIC_OPERATIONS[0]!,
  operationId: 'listNotes',
  method: 'GET',
  path: '/api/v1/notes',
  parameters: [
    { name: 'limit', in: 'query', description: 'At most', schema: z.number().check(z.maximum(9)) },
  ],
  response: { status: 200, description: 'The notes', schema, examples: {} },
  errors: ['invalidPayload'],
});

const createNote = (note: z.ZodMiniType, fields: Record<string, string> = { note: 'The note' }) => {
  const schema = z.object({ note: z.optional(note) }).check(z.meta({ id: 'CreateNoteRequest' }));
  const request = { description: 'A note', schema, fields, examples: {} };
  return { ...listNotes(), operationId: 'createNote', method: 'POST', request };
};

const documentWith = (...operations: PublicOperation[]) =>
  contractDocument(undefined, [...PUBLIC_OPERATIONS.slice(1), ...operations]) as {
    paths: Record<string, Record<string, { parameters: unknown; responses: object }>>;
    components: { schemas: Record<string, { properties: object }> };
  };

describe('a new operation', () => {
  test.each([
    ['a contract', 'list-notes', 'add functions/list-notes/contract.ts'],
    ['a contract of its own', 'get-cart', 'export listNotes from functions/get-cart/contract.ts'],
  ])('without %s fails with what to add', async (_lack, functionName, mend) => {
    const message = `The operation listNotes has no contract: ${mend}`;

    await expect(loadContract('listNotes', functionName)).rejects.toThrow(message);
  });

  test('appears in the document with its parameters, components and errors', () => {
    const { paths, components } = documentWith(listNotes());

    const operation = paths['/api/v1/notes']?.['get'];
    expect(operation?.parameters).toMatchObject([{ in: 'query', required: false, schema: { maximum: 9 } }]);
    expect(Object.keys(operation?.responses ?? {})).toStrictEqual(
      expect.arrayContaining(['200', '401', '422', '429', '503']),
    );
    expect(Object.keys(components.schemas)).toStrictEqual(expect.arrayContaining(['Note', 'NoteList']));
  });

  test('can share its path with another one', () => {
    const { paths } = documentWith(listNotes(), createNote(z.string()));

    expect(paths['/api/v1/notes']).toMatchObject({
      get: { operationId: 'listNotes' },
      post: { operationId: 'createNote' },
    });
  });

  test('whose body has no name, or the name of another body, fails', () => {
    expect(() => documentWith(listNotes(z.string()))).toThrow(
      "The schema of the response of listNotes has no name: add .check(z.meta({ id: 'Name' }))",
    );
    expect(() => documentWith(listNotes(z.string().check(z.meta({ id: 'RetrievedCart' }))))).toThrow(
      'Two components of the contract are named RetrievedCart: rename one of them',
    );
  });
});

describe('a new field of a request', () => {
  test('without a description fails with its name', () => {
    expect(() => documentWith(createNote(z.string(), {}))).toThrow(
      'Describe note in the contract of the request of createNote',
    );
  });

  const refinement = z.refine<string>(Boolean);

  test.each<[string, z.ZodMiniType, RegExp]>([
    ['a refinement', z.string().check(refinement), /lacks a bound of note:.*z\.meta/],
    ['a refinement of an entry', z.array(z.string().check(refinement)), /a bound of note\.items/],
    [
      'a refinement after a stated one',
      z.string().check(refinement, z.meta({ minLength: 1 }), refinement),
      /a bound of note/,
    ],
    [
      'a refinement with an example',
      z.string().check(refinement, z.meta({ examples: ['x'] })),
      /a bound of note/,
    ],
    ['a refinement with a name', z.string().check(refinement, z.meta({ id: 'Named' })), /a bound of note/],
    [
      'a check of a property',
      z.string().check(z.property('length', z.number().check(z.maximum(9)))),
      /a bound of note/,
    ],
    ['a pipe', z.pipe(z.string(), z.string().check(z.maxLength(9))), /a bound of note/],
  ])('with a bound that JSON Schema cannot see fails with its name: %s', (_kind, note, message) => {
    expect(() => documentWith(createNote(note))).toThrow(message);
  });

  test.each([
    z.string().check(z.minLength(1), z.maxLength(9)),
    z.string().check(refinement, z.meta({ minLength: 1, maxLength: 9 })),
    z.pipe(z.string(), z.string()).check(z.meta({ minLength: 1, maxLength: 9 })),
  ])('has its bounds in the document', (note) => {
    const { CreateNoteRequest } = documentWith(createNote(note)).components.schemas;

    expect(CreateNoteRequest?.properties).toMatchObject({ note: { minLength: 1, maxLength: 9 } });
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
