import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPythonPackage } from '../../support/programs/python-package.ts';
import { FOLDER, runPackage, runInFolder } from './packages.ts';

const CONTRACT = join(FOLDER, '../../docs/openapi.json');

/** The clients that the programs import. Each run writes them anew. */
const GENERATED = join(FOLDER, 'generated');

/** Its packages, such as zod 3, which its clients need. The other generators need zod 4. */
const ZOD_CLIENT_PACKAGES = join(FOLDER, 'node_modules/openapi-zod-client/node_modules');

/** A Python package of its own folder: its name is the one that the program imports. */
const PYTHON_FOLDER = join(GENERATED, 'openapi-python-client');

/** Generates the clients of TypeScript from the checked-in contract. */
export const generateTypeScript = async (): Promise<void> => {
  for (const name of ['openapi-typescript', 'hey-api', 'orval', 'openapi-zod-client'])
    rmSync(join(GENERATED, name), { recursive: true, force: true });
  await runPackage('openapi-typescript', [CONTRACT, '-o', join(GENERATED, 'openapi-typescript/schema.ts')]);
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'];
  const heyApi = ['-i', CONTRACT, '-o', join(GENERATED, 'hey-api'), '-p', ...plugins, '--no-log-file'];
  await runPackage('openapi-ts', heyApi);
  const zodClient = join(GENERATED, 'openapi-zod-client');
  mkdirSync(zodClient, { recursive: true });
  symlinkSync(ZOD_CLIENT_PACKAGES, join(zodClient, 'node_modules'));
  await runPackage('openapi-zod-client', [CONTRACT, '-o', join(zodClient, 'client.ts')]);
  await runPackage('orval', ['--config', 'programs/orval.config.mjs', '--fail-on-warnings']);
};

/** Compiles the clients of TypeScript and their programs under `strict`. */
export const compileTypeScript = (): Promise<string> => runPackage('tsc', ['--project', 'tsconfig.json']);

/** The generated client of Python, with its type checker. */
export interface PythonClient {
  /** Checks the types of the generated client and of a program with `mypy --strict`. */
  check(program: string): Promise<string>;
  /** Runs a program that imports it as `generated`. */
  run(program: string, argument: string): Promise<string>;
}

/**
 * Generates the client of Python.
 *
 * @throws Error if there is no Python 3 with pip
 */
export const generatePython = async (): Promise<PythonClient> => {
  const generator = await installPythonPackage('openapi-python-client', '0.29.1');
  const checker = await installPythonPackage('mypy', '2.4.1');
  rmSync(PYTHON_FOLDER, { recursive: true, force: true });
  mkdirSync(PYTHON_FOLDER, { recursive: true });
  const config = join(PYTHON_FOLDER, 'config.json');
  // Its hooks only format the code.
  writeFileSync(config, JSON.stringify({ post_hooks: [] }));
  const python = (args: readonly string[]): Promise<string> => {
    const env = { PYTHONPATH: [PYTHON_FOLDER, generator, checker].join(':'), PYTHONDONTWRITEBYTECODE: '1' };
    return runInFolder('python3', args, { cwd: PYTHON_FOLDER, env });
  };
  const output = ['--output-path', join(PYTHON_FOLDER, 'generated'), '--meta', 'none', '--config', config];
  await python([
    '-m',
    'openapi_python_client',
    'generate',
    '--path',
    CONTRACT,
    ...output,
    '--fail-on-warning',
  ]);
  return {
    check: (program) => python(['-m', 'mypy', '--strict', 'generated', join(FOLDER, 'programs', program)]),
    run: (program, argument) => python([join(FOLDER, 'programs', program), argument]),
  };
};
