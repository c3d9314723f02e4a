import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FOLDER, runPackage } from './packages.ts';

interface Converters {
  postmanToBruno(collection: unknown): Promise<{ readonly collection: unknown }>;
}

interface CollectionFiles {
  createCollectionFromBrunoObject(
    collection: unknown,
    folder: string,
    options: { readonly format: string },
  ): Promise<void>;
}

/** The files of a collection in Bruno's own format. */
const FORMAT = 'bru';

const requirePackage = createRequire(join(FOLDER, 'package.json'));

const givenFolder = (): string => mkdtempSync(join(tmpdir(), 'bruno-'));

/** Imports a Postman collection with Bruno's converter, and returns the folder of the imported one. */
export const importPostman = async (file: string): Promise<string> => {
  const { postmanToBruno } = requirePackage('@usebruno/converters') as Converters;
  // `bru import` calls it after its own converters, which do not include the one for Postman.
  const files = requirePackage('@usebruno/cli/src/utils/collection') as CollectionFiles;
  const folder = givenFolder();
  const { collection } = await postmanToBruno(JSON.parse(readFileSync(file, 'utf8')));
  await files.createCollectionFromBrunoObject(collection, folder, { format: FORMAT });
  return folder;
};

/** Imports an OpenAPI document with `bru import`, and returns the folder of the imported collection. */
export const importOpenApi = async (file: string): Promise<string> => {
  const folder = givenFolder();
  mkdirSync(folder, { recursive: true });
  const args = ['--source', file, '--output', folder, '--collection-name', 'api'];
  await runPackage('bru', ['import', 'openapi', ...args, '--collection-format', FORMAT]);
  return join(folder, 'api');
};

/** Deletes the script of a request that runs after its response. */
export const deleteScript = (folder: string, request: string): void => {
  const file = join(folder, request);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^script:post-response \{\n(?:.*\n)*?\}\n/m, ''));
};

/** Runs requests of a collection in order, with these variables. Returns the name and the status of each. */
export const runBruno = async (
  folder: string,
  requests: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<(readonly [name: string, status: number])[]> => {
  const report = join(folder, 'report.json');
  const args = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  await runPackage('bru', ['run', ...requests, ...args, '--output', report], { cwd: folder });
  const [{ results }] = JSON.parse(readFileSync(report, 'utf8')) as [
    { results: { test: { filename: string }; name?: string; response: { status: number } }[] },
  ];
  return results.map(({ test: { filename }, name, response }) => [name ?? filename, response.status]);
};
