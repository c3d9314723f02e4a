import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../../core/project.ts';
import { currentRelease } from '../../stage/release.ts';

const BUNDLE = 'infra/bundle';

/** Files and folders that the local stage reads, by their paths in the project. */
const FILES = ['docs', 'infra/local/pages/browser', 'CHANGELOG.md'];

const SWAGGER_UI_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'];

/** The packages of the embedded database, one for each platform. An installation takes its own. */
const DATABASE = /^@dynoxide\//;

const readJson = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as {
    readonly version: string;
    readonly license?: string;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };

const manifestOf = () => {
  const { optionalDependencies } = readJson(join(ROOT, 'package.json'));

  const { version, commit: gitHead } = currentRelease();
  return {
    name: 'cart-checkout',
    version,
    gitHead,
    description:
      'Cart Checkout on your own machine: the whole service, its webhooks, and the commands of its operators',
    // The owner decides about a licence, and a person about a publication: both lines then change.
    license: 'UNLICENSED',
    private: true,
    type: 'module',
    bin: { 'cart-checkout': `./${BUNDLE}/bin.js` },
    engines: { node: '>=22.12' },
    // `npm ci` of a merchant fails if the registry lacks one: only those of the lock file are in the registry.
    optionalDependencies: Object.fromEntries(
      Object.entries(optionalDependencies ?? {}).filter(([name]) => DATABASE.test(name)),
    ),
  };
};

/** The licence texts of the packages in the bundle. */
const noticesOf = (inputs: readonly string[]): string => {
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  return [...folders]
    .toSorted()
    .map((folder) => {
      const texts = readdirSync(join(ROOT, folder)).filter((name) => /^(?:licen[cs]e|notice)/i.test(name));
      const { version, license } = readJson(join(ROOT, folder, 'package.json'));
      const title = `${folder.replace(/.*node_modules\//, '')} ${version} (${license})`;
      return [title, ...texts.map((name) => readFileSync(join(ROOT, folder, name), 'utf8').trim())].join(
        '\n\n',
      );
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
};

/**
 * Writes the files of the package `cart-checkout` into a folder. The bundle has the layout of the project, so the code finds
 * the documents at the same paths: `infra/core/project.ts`.
 */
export const writePackage = async (folder: string): Promise<void> => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['infra/package/program/command.ts'],
    outdir: join(folder, BUNDLE),
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    platform: 'node',
    target: 'node22',
    format: 'esm',
    mainFields: ['module', 'main'],
    metafile: true,
    // For packages in CommonJS.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module';\nconst require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  // Only the README of the project shows the pictures.
  const filter = (path: string): boolean => !/\.(?:png|webp)$/.test(path);
  for (const path of FILES) cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter });
  cpSync(join(ROOT, 'infra/package/program/bin.js'), join(folder, BUNDLE, 'bin.js'));
  cpSync(join(ROOT, 'infra/package/README.md'), join(folder, 'README.md'));
  const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  mkdirSync(join(folder, 'swagger-ui'));
  for (const name of SWAGGER_UI_FILES) cpSync(join(swaggerUi, name), join(folder, 'swagger-ui', name));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(), undefined, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(Object.keys(metafile.inputs)));
};
