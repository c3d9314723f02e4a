/** Sources by name. The name says what the source breaks or keeps. */
type Sources = Readonly<Record<string, string>>;

const importing = (path: string): string => `import { value } from '${path}';\nexport const used = value;`;
const importsOf = (...paths: readonly string[]): Sources =>
  Object.fromEntries(paths.map((path) => [`import ${path}`, importing(path)]));
const testing = (calls: string): string =>
  `import { describe, expect, it } from 'vitest';\n${calls}\ndescribe('group', () => {\n  it('holds', () => expect(1).toBe(1));\n});`;

const fileOfLines = (count: number): string => `export const used = 1;${'\n// more'.repeat(count - 1)}`;
const functionOfLines = (count: number): string =>
  `export const run = (): void => {${'\n  // more'.repeat(count - 2)}\n};`;

/** A handler that would call AWS itself. Only lib does. */
const IMPORT_OF_SDK: Sources = {
  'import the SDK': `import { SQSClient } from '@aws-sdk/client-sqs';\nexport const client = new SQSClient();`,
};

const IMPORTS = 'eslint(no-restricted-imports)';

/**
 * Sources by folder and by the rules that reject them. Each breaks these rules and no other. A rule with a number is the
 * compiler's.
 */
export const REJECTED: Readonly<Record<string, Readonly<Record<string, Sources>>>> = {
  lib: {
    [IMPORTS]: {
      ...importsOf('../functions/value.ts', '../infra/value.ts', '../test/value.ts'),
      ...importsOf('./carts/../../infra/value.ts'),
      'import a type of infra': `import type { V } from '../infra/value.ts';\nexport type T = V;`,
      'load infra later': `export const load = () => import('../infra/value.ts');`,
    },
    'import(no-cycle)': {
      'form a cycle': `import type { Back } from './circle.ts';\nexport type Forth = { back?: Back };`,
    },
    'import(no-duplicates)': {
      'import a module twice': `import { more } from './value.ts';\n${importing('./value.ts')}\nexport { more };`,
    },
    'typescript(consistent-type-imports)': {
      'name a type of infra in place': `export type T = import('../infra/value.ts').V;`,
    },
    'typescript(TS1484) typescript(consistent-type-imports)': {
      'import a type as a value': `import { V } from './value.ts';\nexport type T = V;`,
    },
    'unicorn(import-style)': {
      'import zod by name': `import { z } from 'zod';\nexport const any = z.unknown();`,
    },
    'typescript(no-floating-promises)': {
      'leave a promise': 'export const start = (save: () => Promise<void>): void => {\n  save();\n};',
    },
    'typescript(TS2801) typescript(no-misused-promises)': {
      'test a promise': 'export const ask = (is: () => Promise<boolean>): number => (is() ? 1 : 2);',
    },
    'typescript(await-thenable)': {
      'await no promise': 'export const stay = async (on: () => void): Promise<void> => {\n  await on();\n};',
    },
    'typescript(return-await)': {
      'leave a try block before its promise fails': `export const read = async (get: () => Promise<number>): Promise<number> => {
  try {\n    return get();\n  } catch {\n    return 0;\n  }\n};`,
    },
    'eslint(no-await-in-loop)': {
      'await in a loop':
        'export const all = async (gets: (() => Promise<void>)[]): Promise<void> => {\n  for (const get of gets) await get();\n};',
    },
    'typescript(no-explicit-any)': {
      'write any': 'export const length = (list: any[]): number => list.length;',
    },
    'typescript(no-unsafe-return)': {
      'return any': 'export const parse = (text: string): number => JSON.parse(text);',
    },
    'typescript(no-non-null-assertion)': {
      'assert a value to be present': 'export const first = (list: string[]): string => list[0]!;',
    },
    'typescript(ban-ts-comment)': {
      'ignore the compiler': `// @ts-ignore it is late\nexport const count: number = 'one';`,
    },
    'typescript(TS2322)': { 'give a value another type': `export const count: number = 'one';` },
    'typescript(TS2375)': {
      'write undefined for an absent value': 'export const none: { count?: number } = { count: undefined };',
    },
    'typescript(TS2584)': { 'read a document': 'void document;' },
    'eslint(no-console)': { 'write to the console': `console.log('here');` },
    'eslint(no-restricted-properties)': {
      'read the time of the machine': 'export const nowMs = Date.now();',
      'pass the clock of the machine on': 'export const clock = { now: Date.now };',
      'take the clock of the machine out of its object': 'export const { now } = Date;',
    },
    'eslint(max-lines)': { 'have a file over 300 lines': fileOfLines(301) },
    'eslint(max-lines-per-function)': { 'have a function over 50 lines': functionOfLines(51) },
    'eslint(no-unused-vars) typescript(TS6133)': {
      'leave a variable unused': 'const left = 1;\nexport const used = 2;',
    },
    'eslint(eqeqeq)': { 'convert to compare': 'export const isOne = (n: unknown): boolean => n == 1;' },
    'eslint(prefer-const)': { 'let a constant vary': 'let fixed = 1;\nexport const used = fixed;' },
    'unicorn(no-abusive-eslint-disable)': {
      'switch every rule off': `// oxlint-disable-next-line\nconsole.log('here');`,
    },
  },
  'lib/core': {
    'layers(order)': {
      ...importsOf('../events/value.ts'),
      'load events later': `export const load = () => import('../events/value.ts');`,
    },
  },
  'lib/http': { 'layers(order)': importsOf('../operators/value.ts') },
  'lib/events': { 'layers(order)': importsOf('../carts/value.ts', '../value.ts') },
  functions: {
    'eslint(no-console)': { 'write to the console': `console.log('here');` },
  },
  'functions/get-cart': {
    [IMPORTS]: {
      ...importsOf('../../infra/value.ts', '../../test/value.ts', './contract.ts', '../value/handler.ts'),
      ...importsOf('../../lib/../functions/value/handler.ts', './payment-contract.ts'),
      ...importsOf('../../lib/operators/value.ts', '../value.ts', './texts/../../value/handler.ts'),
      ...IMPORT_OF_SDK,
    },
  },
  'functions/get-cart/page': {
    [IMPORTS]: {
      ...importsOf('../contract.ts', '../../operations.ts', '../../../lib/operators/value.ts'),
      ...IMPORT_OF_SDK,
    },
  },
  'infra/stage': { 'layers(order)': importsOf('../stack/value.ts') },
  infra: { [IMPORTS]: importsOf('../functions/value/handler.ts', '../test/value.ts') },
  'infra/contract': {
    [IMPORTS]: importsOf('../../functions/get-cart/handler.ts', '../../functions/get-cart/read.ts'),
  },
  'infra/docs': {
    [IMPORTS]: importsOf('../../functions/get-cart/handler.ts', '../../test/value.ts'),
  },
  'infra/stack': { [IMPORTS]: importsOf('../../functions/get-cart/contract.ts') },
  'infra/operate': { [IMPORTS]: importsOf('../../functions/value/handler.ts') },
  'infra/operate/target': { 'layers(order)': importsOf('../frame/value.ts') },
  'infra/operate/carts': { 'layers(order)': importsOf('../keys/value.ts') },
  'infra/local': { [IMPORTS]: importsOf('../../test/value.ts') },
  'infra/local/pages/browser': {
    'typescript(TS2322)': { 'give a value another type': `export const count: number = 'one';` },
  },
  test: {
    'vitest(no-focused-tests)': { 'run a test alone': testing(`it.only('a', () => expect(1).toBe(1));`) },
    'vitest(no-disabled-tests)': { 'skip a test': testing(`it.skip('a', () => expect(1).toBe(1));`) },
    'vitest(warn-todo)': { 'leave a test to do': testing(`it.todo('a');`) },
    'eslint(no-restricted-properties)': {
      'skip on a condition': testing(`it.skipIf(true)('a', () => expect(1).toBe(1));`),
      'run on a condition': testing(`it.runIf(false)('a', () => expect(1).toBe(1));`),
      'skip itself': testing(`it('a', (context) => {\n  context.skip();\n  expect(1).toBe(1);\n});`),
    },
    'vitest(no-commented-out-tests)': {
      'comment a test out': testing(`// it('a', () => expect(1).toBe(1));`),
    },
    'vitest(expect-expect)': { 'expect nothing': testing(`it('a', () => {});`) },
  },
};

/** Sources by folder that break no rule. */
export const ALLOWED: Readonly<Record<string, Sources>> = {
  lib: { 'have a file of 300 lines': fileOfLines(300), 'have a function of 50 lines': functionOfLines(50) },
  'lib/carts': {
    ...importsOf('../events/value.ts', './value.ts'),
    'convert a time': 'export const date = new Date(7);',
  },
  functions: importsOf('../lib/value.ts', './operations.ts'),
  'functions/get-cart': {
    ...importsOf('../../lib/value.ts', './handler.ts', './texts/value.ts'),
    ...importsOf('../by-route.ts', '../operations.ts'),
  },
  'functions/get-cart/page': importsOf('../../../lib/value.ts', '../handler.ts', '../texts/value.ts'),
  infra: {
    ...importsOf('../lib/value.ts'),
    'write to the console': `console.log('done');`,
    'read the time of the machine': 'export const nowMs = Date.now();',
    'create a construct for its effect': 'new Map();',
  },
  'infra/operate': importsOf('../local/value.ts'),
  'infra/operate/carts': importsOf('../frame/value.ts'),
  'infra/stack': importsOf('../../functions/operations.ts'),
  'infra/contract': importsOf('../../functions/get-cart/contract.ts'),
  'infra/docs': importsOf('../../functions/get-cart/payment-contract.ts'),
  'infra/local': importsOf('../../functions/value.ts'),
  'infra/local/pages/browser': { 'read a document': 'void document;' },
  test: importsOf('../infra/value.ts', '../functions/value.ts', './value.ts'),
};

const VALUE = 'export type V = number;\nexport const value: V = 1;\nexport const more = 2;';

/** The modules that the sources above import. */
export const IMPORTED: Readonly<Record<string, Sources>> = {
  lib: {
    value: VALUE,
    circle: `import type { Forth } from './form-a-cycle.ts';\nexport type Back = { forth?: Forth };`,
  },
  'lib/events': { value: VALUE },
  'lib/carts': { value: VALUE },
  'lib/operators': { value: VALUE },
  functions: { value: VALUE, operations: VALUE, 'by-route': VALUE },
  'functions/get-cart': { contract: VALUE, 'payment-contract': VALUE, handler: VALUE, read: VALUE },
  'functions/get-cart/texts': { value: VALUE },
  'functions/value': { handler: VALUE },
  infra: { value: VALUE },
  'infra/local': { value: VALUE },
  'infra/stack': { value: VALUE },
  test: { value: VALUE },
  'infra/operate/target': { value: VALUE },
  'infra/operate/frame': { value: VALUE },
  'infra/operate/carts': { value: VALUE },
  'infra/operate/keys': { value: VALUE },
};
