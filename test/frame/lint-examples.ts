/** The name of a guarantee, the folder it covers, and a source that breaks or keeps it. */
export type Example = readonly [name: string, folder: string, source: string];

const importing = (path: string): string => `import { value } from '${path}';\nexport const used = value;`;
const testing = (calls: string): string =>
  `import { describe, expect, it } from 'vitest';\n${calls}\ndescribe('group', () => {\n  it('holds', () => expect(1).toBe(1));\n});`;

const fileOfLines = (count: number): string => `export const used = 1;${'\n// more'.repeat(count - 1)}`;
const functionOfLines = (count: number): string =>
  `export const run = (): void => {${'\n  // more'.repeat(count - 2)}\n};`;

/** Sources by the rule that rejects them. Each breaks that rule and no other. */
export const REJECTED: Record<string, readonly Example[]> = {
  'eslint(no-restricted-imports)': [
    ['lib may not import functions', 'lib', importing('../functions/value.ts')],
    ['lib may not import infra', 'lib', importing('../infra/value.ts')],
    ['lib may not import test', 'lib', importing('../test/value.ts')],
    ['lib may not reach infra by a detour', 'lib', importing('./carts/../../infra/value.ts')],
    [
      'lib may not import a type of infra',
      'lib',
      `import type { V } from '../infra/value.ts';\nexport type T = V;`,
    ],
    ['lib may not load infra later', 'lib', `export const load = () => import('../infra/value.ts');`],
    ['a handler may not import infra', 'functions/get-cart', importing('../../infra/value.ts')],
    ['a handler may not import test', 'functions/get-cart', importing('../../test/value.ts')],
    ['a handler may not import its contract', 'functions/get-cart', importing('./contract.ts')],
    ['a handler may not import another function', 'functions/get-cart', importing('../value/handler.ts')],
    [
      'a handler may not reach another function by a detour',
      'functions/get-cart',
      importing('../../lib/../functions/value/handler.ts'),
    ],
    [
      'infra/contract may not import a handler',
      'infra/contract',
      importing('../../functions/get-cart/handler.ts'),
    ],
    [
      'infra/stack may not import a contract',
      'infra/stack',
      importing('../../functions/get-cart/contract.ts'),
    ],
    ['infra may not import functions', 'infra', importing('../functions/value/handler.ts')],
    ['infra may not import test', 'infra', importing('../test/value.ts')],
    [
      'infra/operate may not import functions',
      'infra/operate',
      importing('../../functions/value/handler.ts'),
    ],
    ['infra/local may not import test', 'infra/local', importing('../../test/value.ts')],
  ],
  'import(no-cycle)': [
    [
      'no imports form a cycle',
      'lib',
      `import type { Back } from './circle.ts';\nexport type Forth = { back?: Back };`,
    ],
  ],
  'import(no-duplicates)': [
    [
      'a module is imported once',
      'lib',
      `import { more } from './value.ts';\n${importing('./value.ts')}\nexport { more };`,
    ],
  ],
  'typescript(consistent-type-imports)': [
    ['lib may not name a type of infra in place', 'lib', `export type T = import('../infra/value.ts').V;`],
    ['a type is imported as a type', 'lib', `import { V } from './value.ts';\nexport type T = V;`],
  ],
  'unicorn(import-style)': [
    ['zod is imported as a namespace', 'lib', `import { z } from 'zod';\nexport const any = z.unknown();`],
  ],
  'typescript(no-floating-promises)': [
    [
      'every promise is awaited',
      'lib',
      'export const start = (save: () => Promise<void>): void => {\n  save();\n};',
    ],
  ],
  'typescript(no-misused-promises)': [
    [
      'no promise is a condition',
      'lib',
      'export const ask = (is: () => Promise<boolean>): number => (is() ? 1 : 2);',
    ],
  ],
  'typescript(await-thenable)': [
    [
      'only a promise is awaited',
      'lib',
      'export const stay = async (on: () => void): Promise<void> => {\n  await on();\n};',
    ],
  ],
  'typescript(return-await)': [
    [
      'a try block waits for the promise whose failure it catches',
      'lib',
      'export const read = async (get: () => Promise<number>): Promise<number> => {\n' +
        '  try {\n    return get();\n  } catch {\n    return 0;\n  }\n};',
    ],
  ],
  'eslint(no-await-in-loop)': [
    [
      'lib awaits nothing in a loop',
      'lib',
      'export const all = async (gets: (() => Promise<void>)[]): Promise<void> => {\n  for (const get of gets) await get();\n};',
    ],
  ],
  'typescript(no-explicit-any)': [
    ['no type is any', 'lib', 'export const length = (list: any[]): number => list.length;'],
  ],
  'typescript(no-unsafe-return)': [
    ['no any is returned', 'lib', 'export const parse = (text: string): number => JSON.parse(text);'],
  ],
  'typescript(no-non-null-assertion)': [
    [
      'no value is asserted to be present',
      'lib',
      'export const first = (list: string[]): string => list[0]!;',
    ],
  ],
  'typescript(ban-ts-comment)': [
    ['ts-ignore is rejected', 'lib', `// @ts-ignore it is late\nexport const count: number = 'one';`],
  ],
  'eslint(no-console)': [
    ['lib logs through the logger', 'lib', `console.log('here');`],
    ['functions log through the logger', 'functions', `console.log('here');`],
  ],
  'eslint(max-lines)': [['a file has at most 300 lines', 'lib', fileOfLines(301)]],
  'eslint(max-lines-per-function)': [['a function has at most 50 lines', 'lib', functionOfLines(51)]],
  'eslint(no-unused-vars)': [['every variable is used', 'lib', 'const left = 1;\nexport const used = 2;']],
  'eslint(eqeqeq)': [
    ['comparison does not convert', 'lib', 'export const isOne = (n: unknown): boolean => n == 1;'],
  ],
  'eslint(prefer-const)': [
    ['an unchanged variable is const', 'lib', 'let fixed = 1;\nexport const used = fixed;'],
  ],
  'unicorn(no-abusive-eslint-disable)': [
    ['a switched-off rule is named', 'lib', `// oxlint-disable-next-line\nconsole.log('here');`],
  ],
  'vitest(no-focused-tests)': [
    ['no test runs alone', 'test', testing(`it.only('a', () => expect(1).toBe(1));`)],
  ],
  'vitest(no-disabled-tests)': [
    ['no test is skipped', 'test', testing(`it.skip('a', () => expect(1).toBe(1));`)],
  ],
  'vitest(warn-todo)': [['no test is left to do', 'test', testing(`it.todo('a');`)]],
  'eslint(no-restricted-properties)': [
    ['no test is skipped on a condition', 'test', testing(`it.skipIf(true)('a', () => expect(1).toBe(1));`)],
    ['no test runs on a condition', 'test', testing(`it.runIf(false)('a', () => expect(1).toBe(1));`)],
    [
      'no test skips itself',
      'test',
      testing(`it('a', (context) => {\n  context.skip();\n  expect(1).toBe(1);\n});`),
    ],
  ],
  'vitest(no-commented-out-tests)': [
    ['no test is commented out', 'test', testing(`// it('a', () => expect(1).toBe(1));`)],
  ],
  'vitest(expect-expect)': [['every test expects something', 'test', testing(`it('a', () => {});`)]],
};

/** Sources that break no rule. */
export const ALLOWED: readonly Example[] = [
  ['a handler may import lib', 'functions/get-cart', importing('../../lib/value.ts')],
  ['infra may import lib', 'infra', importing('../lib/value.ts')],
  ['infra/operate may import the rest of infra', 'infra/operate', importing('../local/value.ts')],
  [
    'infra/stack may import the table of operations',
    'infra/stack',
    importing('../../functions/operations.ts'),
  ],
  [
    'infra/contract may import a contract',
    'infra/contract',
    importing('../../functions/get-cart/contract.ts'),
  ],
  ['infra/local may import functions', 'infra/local', importing('../../functions/value.ts')],
  ['lib may import lib', 'lib/carts', importing('../value.ts')],
  ['a test may import infra', 'test', importing('../infra/value.ts')],
  ['a test may import functions', 'test', importing('../functions/value.ts')],
  ['a test may import test', 'test', importing('./value.ts')],
  ['a file may have 300 lines', 'lib', fileOfLines(300)],
  ['a function may have 50 lines', 'lib', functionOfLines(50)],
  ['infra may write to the console', 'infra', `console.log('done');`],
  ['infra may create a construct for its effect', 'infra', 'new Map();'],
];

const VALUE = 'export type V = number;\nexport const value: V = 1;\nexport const more = 2;';

/** The modules that the sources above import. */
export const IMPORTED: readonly Example[] = [
  ...['lib', 'functions', 'infra', 'infra/local', 'test'].map((folder) => ['value', folder, VALUE] as const),
  ['operations', 'functions', VALUE],
  ...['contract', 'handler'].map((name) => [name, 'functions/get-cart', VALUE] as const),
  ['handler', 'functions/value', VALUE],
  [
    'circle',
    'lib',
    `import type { Forth } from './no-imports-form-a-cycle.ts';\nexport type Back = { forth?: Forth };`,
  ],
];
