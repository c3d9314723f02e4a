import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BRANCH_CONTEXT, FULL_CONTEXT, PRODUCTION_CONTEXT } from '../../infra/example-stages/contexts.ts';
import { REPOSITORY } from '../../infra/example-stages/synthesise.ts';
import { CartCheckoutApp } from '../../infra/stack/cart-checkout-app.ts';
import type { StageContext } from '../../infra/stage/stage-context.ts';
import { ADMISSION, admit } from '../support/deploy/admit.ts';

type Json = Record<string, unknown>;

const readJson = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json;

/**
 * Synthesises a stage, with small files in place of its bundles. Returns the folder with its `cdk.out` and its values.
 *
 * @throws Error if the template breaks a rule of CloudFormation: no other test applies them to every option
 */
const givenArtifact = (context: StageContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-artifact-'));
  const outdir = join(folder, 'cdk.out');
  mkdirSync(join(folder, 'stages'));
  writeFileSync(join(folder, `stages/${context.stage}.json`), JSON.stringify(context));
  const flags = readJson('cdk.json')['context'] as Json;
  const app = new CartCheckoutApp(REPOSITORY, {
    outdir,
    context: { ...flags, ...context, 'aws:cdk:bundling-stacks': [] },
  });
  app.synth();
  const manifest = join(outdir, `CartCheckout-${context.stage}.assets.json`);
  const assets = readJson(manifest) as {
    readonly files: Readonly<Record<string, { readonly source: { path: string; packaging: string } }>>;
  };
  for (const [hash, { source }] of Object.entries(assets.files)) {
    if (source.packaging !== 'zip') continue;
    source.path = `asset.${hash}`;
    mkdirSync(join(outdir, `asset.${hash}`));
    for (const name of ['index.js', 'index.js.map', 'start.mjs'])
      writeFileSync(join(outdir, `asset.${hash}`, name), '');
  }
  writeFileSync(manifest, JSON.stringify(assets));
  return folder;
};

/** Sets a field of a JSON file of the artifact. In its path, `*` is the first name. */
const set =
  (file: string, path: readonly string[], value: unknown) =>
  (outdir: string): void => {
    const json = readJson(join(outdir, file));
    let object = json;
    for (const name of path.slice(0, -1))
      object = object[name === '*' ? Object.keys(object)[0]! : name] as Json;
    object[path.at(-1)!] = value;
    writeFileSync(join(outdir, file), JSON.stringify(json));
  };

const STACK = `CartCheckout-${BRANCH_CONTEXT.stage}`;
const ASSETS = `${STACK}.assets.json`;
const METADATA = `${STACK}.metadata.json`;
const TEMPLATE = `${STACK}.template.json`;
const MANIFEST = 'manifest.json';
const PROPERTIES = ['artifacts', STACK, 'properties'];
const SHELL = ['sh', '-c', 'env > /tmp/stolen'];
/** A stack that would replace production. */
const OTHER_STACK = { type: 'aws:cloudformation:stack', properties: { templateFile: TEMPLATE } };

const HOSTILE: Readonly<Record<string, (outdir: string) => void>> = {
  'a program that makes an asset': set(ASSETS, ['files', '*', 'source'], { executable: SHELL }),
  'a program beside the path of an asset': set(ASSETS, ['files', '*', 'source', 'executable'], SHELL),
  'a Docker image': set(ASSETS, ['dockerImages', 'a'], { source: { directory: '.' }, destinations: {} }),
  'an asset outside of the artifact': set(ASSETS, ['files', '*', 'source', 'path'], '../../.aws'),
  'an upload to another bucket': set(ASSETS, ['files', '*', 'destinations', '*', 'bucketName'], 'stolen'),
  'another role': set(MANIFEST, [...PROPERTIES, 'assumeRoleArn'], 'arn:aws:iam::123456789012:role/admin'),
  'a legacy asset in the metadata': set(
    METADATA,
    [`/${STACK}`],
    [{ type: 'aws:cdk:asset', data: { packaging: 'container-image', path: '.' } }],
  ),
  'metadata in the manifest': set(MANIFEST, ['artifacts', STACK, 'metadata'], {
    [`/${STACK}`]: [{ type: 'aws:cdk:asset' }],
  }),
  'a nested assembly': set(MANIFEST, ['artifacts', 'nested'], {
    type: 'cdk:cloud-assembly',
    properties: { directoryName: 'nested' },
  }),
  'a further stack': set(MANIFEST, ['artifacts', 'CartCheckout-prod'], OTHER_STACK),
  'a stack whose name hides in another': set(
    MANIFEST,
    ['artifacts', 'aws-cdk-lib/feature-flag-report","properties'],
    OTHER_STACK,
  ),
  'another name of the stack': set(MANIFEST, [...PROPERTIES, 'stackName'], 'CartCheckout-prod'),
  'values of parameters': set(MANIFEST, [...PROPERTIES, 'parameters'], { BootstrapVersion: '/other' }),
  'lookups of context': set(MANIFEST, ['missing'], [{ key: 'k', provider: 'ami', props: {} }]),
  'a text where an object must be': set(MANIFEST, ['artifacts'], 'x'),
  'a macro': set(TEMPLATE, ['Transform'], ['Macro']),
  'a macro in a property': set(TEMPLATE, ['Resources', '*', 'Properties', 'Name'], {
    'Fn::Transform': { Name: 'AWS::Include', Parameters: { Location: 's3://bucket/key' } },
  }),
  'a custom resource': set(TEMPLATE, ['Resources', 'Custom'], { Type: 'Custom::Run' }),
  'a nested stack': set(TEMPLATE, ['Resources', 'Nested'], { Type: 'AWS::CloudFormation::Stack' }),
  'no JSON': (outdir) => writeFileSync(join(outdir, 'tree.json'), '{'),
  'JSON in a folder': (outdir) => {
    mkdirSync(join(outdir, 'nested'));
    writeFileSync(join(outdir, 'nested/manifest.json'), '{}');
  },
  'JSON in a bundle': (outdir) => {
    const [hash] = Object.keys(readJson(join(outdir, ASSETS))['files'] as Json);
    writeFileSync(join(outdir, `asset.${hash}`, 'cdk.json'), '{}');
  },
  'a further file': (outdir) => writeFileSync(join(outdir, 'cdk.json'), '{"app":"env"}'),
  'a link': (outdir) => {
    rmSync(join(outdir, 'tree.json'));
    symlinkSync('/proc/self/environ', join(outdir, 'tree.json'));
  },
};

describe('the artifact of a deployment', () => {
  const folders = new Map<string, string>();

  beforeAll(() => {
    for (const context of [BRANCH_CONTEXT, PRODUCTION_CONTEXT, FULL_CONTEXT])
      folders.set(context.stage, givenArtifact(context));
  });

  test.each([BRANCH_CONTEXT.stage, PRODUCTION_CONTEXT.stage, FULL_CONTEXT.stage])(
    'of the stage %s is admitted',
    (stage) => {
      expect(admit(folders.get(stage)!, stage)).toStrictEqual({ status: 0, stdout: '' });
    },
  );

  const copy = (stage = BRANCH_CONTEXT.stage): string => {
    const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-artifact-'));
    cpSync(folders.get(stage)!, folder, { recursive: true });
    return folder;
  };

  test.each(Object.entries(HOSTILE))('with %s is rejected', (what, change) => {
    const folder = copy();
    change(join(folder, 'cdk.out'));
    const { status, stdout } = admit(folder, BRANCH_CONTEXT.stage);
    expect(status).not.toBe(0);
    expect(stdout).toMatch(what === 'no JSON' ? /^$/ : /^::error::The artifact is not that of the stage: /);
  });

  test.each(['prod', 'my-branch; touch /tmp/x', '.*', ''])(
    'of another stage than %j is rejected',
    (stage) => {
      const { status, stdout } = admit(folders.get(BRANCH_CONTEXT.stage)!, stage);
      expect({ status, stdout }).toStrictEqual({ status: 1, stdout: expect.stringContaining('::error::') });
    },
  );

  test.each([
    ['no qualifier', {}, 'unknown fields'],
    ['another qualifier', { qualifier: 'shop2' }, 'unknown fields'],
    ['a pattern', { qualifier: '.*' }, 'the stage has no valid qualifier'],
  ])(
    'with the roles of a qualifier is rejected if the values of the stage have %s',
    (_what, values, reason) => {
      const folder = copy(FULL_CONTEXT.stage);
      writeFileSync(join(folder, `stages/${FULL_CONTEXT.stage}.json`), JSON.stringify(values));
      const { status, stdout } = admit(folder, FULL_CONTEXT.stage);
      expect({ status, stdout }).toStrictEqual({ status: 1, stdout: expect.stringContaining(reason) });
    },
  );

  test('has resources of no service but those of a stage', () => {
    const filter = readFileSync(join(ADMISSION, 'assembly.jq'), 'utf8');
    const [, services = ''] = /AWS::\(\?:([\w|]+)\)/.exec(filter) ?? [];
    const templates = [...folders].map(([stage, folder]) =>
      readFileSync(join(folder, `cdk.out/CartCheckout-${stage}.template.json`), 'utf8'),
    );
    const used = templates.flatMap((text) =>
      Array.from(text.matchAll(/"Type": "AWS::(\w+)::\w+"/g), ([, service]) => service),
    );
    expect(new Set(services.split('|'))).toStrictEqual(new Set(used));
  });
});
