import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../lib/events/event-types.ts';
import { givenMerchantProject } from '../support/programs/merchant-project.ts';
import { installPythonPackage } from '../support/programs/python-package.ts';
import { runProgram } from '../support/programs/run-program.ts';
import { FOLDER, runPackage } from './support/packages.ts';

const ROOT = join(FOLDER, '../..');

const project = givenMerchantProject();

const inProject = { cwd: project.folder };

/** Programs that handle each type of events. They do not compile if the types of the client have another one. */
const EVERY_TYPE = {
  'every-type.ts': `import type { FeedEvent } from 'cart-checkout-client';
export const nameOf = ({ type }: FeedEvent): string => {
  switch (type) {
${EVENT_TYPES.map((type) => `    case '${type}':`).join('\n')}
      return type;
    default: {
      const rest: never = type;
      return rest;
    }
  }
};
`,
  'every_type.py': `from cart_checkout import FeedEvent


def name_of(event: FeedEvent) -> str:
    match event["type"]:
${EVENT_TYPES.map((type) => `        case "${type}":\n            return ""`).join('\n')}
`,
};

beforeAll(() => {
  const { folder } = project;
  for (const [name, program] of Object.entries(EVERY_TYPE)) writeFileSync(join(folder, name), program);
  for (const name of ['program.ts', 'program.cts', 'program.py'])
    cpSync(join(FOLDER, 'types', name), join(folder, name));
  cpSync(join(FOLDER, 'types/program.php'), join(folder, 'php/program.php'));
});

describe('the package for Node.js', () => {
  test('has no findings of publint', async () => {
    const output = await runPackage('publint', [
      '--strict',
      join(project.folder, 'node_modules/cart-checkout-client'),
    ]);
    expect(output).toContain('All good!');
  });

  test('has no findings of attw for programs that import or require an ES module', async () => {
    const output = await runPackage('attw', ['--profile', 'esm-only', '--pack', join(ROOT, 'clients/node')]);
    expect(output).toMatch(/bundler\b[^\n]*🟢/);
  });

  /** The installed compilers, by their major versions. */
  const COMPILERS = { 5: join(FOLDER, 'node_modules/typescript'), 7: join(ROOT, 'node_modules/typescript') };

  test.each([
    [5, 'nodenext', 'nodenext', ['program.ts', 'every-type.ts', 'program.cts']],
    [7, 'nodenext', 'nodenext', ['program.ts', 'every-type.ts', 'program.cts']],
    [5, 'preserve', 'bundler', ['program.ts', 'every-type.ts']],
    [7, 'preserve', 'bundler', ['program.ts', 'every-type.ts']],
  ] as const)(
    'has types for TypeScript %i with the resolution %s',
    async (major, module, moduleResolution, files) => {
      const compiler = COMPILERS[major];
      expect(readFileSync(join(compiler, 'package.json'), 'utf8')).toMatch(`"version": "${major}.`);
      const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
      // Without the types of browsers and of Node.js.
      const target = { target: 'es2022', lib: ['es2022'], types: [], noEmit: true };
      const config = join(project.folder, `tsconfig-${major}-${module}.json`);
      writeFileSync(
        config,
        JSON.stringify({ compilerOptions: { ...strict, ...target, module, moduleResolution }, files }),
      );
      const output = await runProgram(
        process.execPath,
        [join(compiler, 'bin/tsc'), '--project', config],
        inProject,
      );
      expect(output).toBe('');
    },
  );

  test('can be required by a program in CommonJS', async () => {
    const program = "console.log(typeof require('cart-checkout-client').CartCheckout)";
    expect(await runProgram(process.execPath, ['--eval', program], inProject)).toBe('function\n');
  });
});

describe('the package for Python', () => {
  test('has types for mypy --strict', async () => {
    const env = { PYTHONPATH: await installPythonPackage('mypy', '2.4.1') };
    const interpreter = ['--python-executable', project.python];
    const check = (files: readonly string[]) =>
      runProgram('python3', ['-m', 'mypy', '--strict', ...interpreter, ...files], {
        ...inProject,
        env: { ...process.env, ...env },
      });
    expect(await check(['program.py', 'every_type.py'])).toMatch(/^Success: /);
    const source = join(ROOT, 'clients/python/src/cart_checkout');
    expect(await check(['--python-version', '3.10', source])).toMatch(/^Success: /);
  });

  test('has types for the strict mode of pyright', async () => {
    const config = {
      include: ['program.py', 'every_type.py'],
      typeCheckingMode: 'strict',
      reportUnnecessaryTypeIgnoreComment: true,
      venvPath: '.',
      venv: 'environment',
    };
    writeFileSync(join(project.folder, 'pyrightconfig.json'), JSON.stringify(config));
    expect(await runPackage('pyright', [], inProject)).toMatch(/^0 errors, 0 warnings/);
  });
});

test.each(globSync('environment/lib/*/site-packages/cart_checkout_client-*.dist-info/METADATA', inProject))(
  'the wheel says its licence and needs no package: %s',
  (path) => {
    const metadata = readFileSync(join(project.folder, path), 'utf8');
    expect(metadata).toMatch(/^License-Expression: MIT-0$/m);
    expect(metadata).not.toMatch(/^Requires-Dist/m);
    expect(readdirSync(join(project.folder, path, '../../cart_checkout'))).toContain('py.typed');
  },
);

const inPhp = { cwd: join(project.folder, 'php') };

describe.each(existsSync(join(inPhp.cwd, 'vendor/composer')) ? ['Composer'] : [])('the package of %s', () => {
  test('has the classes of the client, and no dependencies', async () => {
    expect(await runProgram('php', ['program.php'], inPhp)).toBe('email: Wrong\n');
    expect(readdirSync(join(inPhp.cwd, 'vendor')).toSorted()).toStrictEqual([
      'autoload.php',
      'cart-checkout',
      'composer',
    ]);
  });
});

/** PHPStan, unless Composer cannot install it: it comes from Packagist, and from no other registry. */
const findPhpstan = (): readonly string[] => {
  const folder = join(project.folder, 'phpstan');
  try {
    const args = [
      'require',
      '--quiet',
      '--no-interaction',
      '--working-dir',
      project.folder,
      'phpstan/phpstan:^2',
    ];
    execFileSync('composer', args, { env: { ...process.env, COMPOSER_VENDOR_DIR: folder }, stdio: 'ignore' });
    return [join(folder, 'bin/phpstan')];
  } catch {
    console.warn('THE TYPES FOR PHP ARE NOT TESTED: Composer is missing, or cannot install PHPStan');
    return [];
  }
};

test.each(findPhpstan())(
  'the package of Composer has types for the highest level of PHPStan: %s',
  async (phpstan) => {
    const output = await runProgram(
      phpstan,
      ['analyse', '--level', 'max', '--no-progress', 'program.php'],
      inPhp,
    );
    expect(output).toContain('No errors');
  },
);
