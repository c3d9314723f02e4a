import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StageContext } from '../../../infra/stage/stage-context.ts';
import { safeStageName, stackNameOf } from '../../../infra/stage/stage-name.ts';
import { runProgram, type RunOptions } from '../programs/run-program.ts';
import { createHttpClient } from '../service/http-client.ts';
import { admit } from './admit.ts';
import { awsEnv, stopScheduledRuns } from './aws.ts';

/** Where the commands deploy: an emulator on this machine, or an AWS account. */
export interface Target {
  /** The whole environment of each command. */
  readonly env: NodeJS.ProcessEnv;
  /** The address of the emulator. */
  readonly emulator?: string;
  /** Ends the commands, except those of a destruction. */
  readonly signal?: AbortSignal;
}

const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'cart-checkout-deploy-'));

/** An emulator. The home folder hides a developer's AWS profile, and holds the CDK's cache. */
export const emulatorTarget = (endpoint: string): Target => ({
  env: awsEnv(endpoint, temporaryFolder()),
  emulator: endpoint,
});

export const bootstrap = (endpoint: string): Promise<string> =>
  runProgram(
    'cdk',
    ['bootstrap', '-c', 'stage=bootstrap', 'aws://000000000000/us-east-1'],
    emulatorTarget(endpoint),
  );

/** Runs `npm run operate -- ... --stage <branch> --json`. */
const operateOn =
  (target: Target, branch: string) =>
  async (...args: readonly string[]) => {
    const command = ['run', '--silent', 'operate', '--', ...args, '--stage', branch, '--json'];
    return JSON.parse(await runProgram('npm', command, target)) as Record<string, unknown>;
  };

/**
 * Decodes the paths of method settings, in which CloudFormation expects `~1` for a slash. MiniStack 1.5.33 expects slashes, and
 * otherwise gives each operation the limit of unknown paths.
 */
export const decodeMethodSettings = (templateFile: string): void => {
  const template = readFileSync(templateFile, 'utf8');
  writeFileSync(templateFile, template.replaceAll('/~1', '/').replaceAll('~1', '/'));
};

/** The address that the emulator gives to `https://{api}.execute-api.{region}.amazonaws.com/{stage}/`. */
const emulatedUrl = (emulator: string, baseUrl: string): string => {
  const { hostname, pathname } = new URL(baseUrl);
  return `${emulator}/_aws/execute-api/${hostname.split('.')[0]}${pathname}`;
};

/** A synthesised stage, before its deployment. */
export interface Synthesised {
  readonly manifest: { readonly artifacts: Record<string, { properties: Record<string, unknown> }> };
  readonly template: { readonly Resources: Record<string, object> };
}

/** Changes the files of a synthesised stage. The template gets a new name, because the CDK uploads each name once. */
export const changeFiles = (
  folder: string,
  stackName: string,
  change: (synthesised: Synthesised) => void,
): void => {
  const fileOf = (name: string): string => join(folder, name);
  const templateFile = fileOf(`${stackName}.template.json`);
  const [manifest, template] = [fileOf('manifest.json'), templateFile].map(
    (path) => JSON.parse(readFileSync(path, 'utf8')) as object,
  );
  change({ manifest, template } as Synthesised);
  writeFileSync(fileOf('manifest.json'), JSON.stringify(manifest));
  writeFileSync(templateFile, JSON.stringify(template));
  const [, oldHash = ''] = /([0-9a-f]{64})\.json/.exec(JSON.stringify(manifest)) ?? [];
  const newHash = createHash('sha256').update(JSON.stringify(template)).digest('hex');
  for (const file of [fileOf('manifest.json'), fileOf(`${stackName}.assets.json`)]) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(oldHash, newHash));
  }
};

/** The deployment and the destruction of one branch's stage. */
export const createDeployment = (target: Target, branch: string) => {
  const folder = temporaryFolder();
  const stackName = stackNameOf(safeStageName(branch));
  const cdk = (by: RunOptions, command: string, ...flags: readonly string[]): Promise<string> =>
    runProgram('cdk', [command, '--app', 'cdk.out', '--no-notices', ...flags], { ...by, cwd: folder });
  return {
    /** Deploys like the workflows: first the synthesis, then its result alone, without the project, if it is admitted. */
    async deploy(context: Omit<StageContext, 'stage'>, change?: (synthesised: Synthesised) => void) {
      const outputsFile = join(folder, 'outputs.json');
      const startedAtMs = Date.now();
      const values = Object.entries({ ...context, stage: branch }).flatMap((value) => [
        '-c',
        value.join('='),
      ]);
      const flags = [...values, '--output', join(folder, 'cdk.out')];
      // The CDK adds a cache of the bundles at a deployment. An artifact has none.
      rmSync(join(folder, 'cdk.out'), { recursive: true, force: true });
      await runProgram('cdk', ['synth', '--quiet', ...flags], target);
      const { emulator } = target;
      if (emulator !== undefined) {
        assert.deepEqual(admit(folder, safeStageName(branch)), { status: 0, stdout: '' });
        decodeMethodSettings(join(folder, 'cdk.out', `${stackName}.template.json`));
      }
      if (change) changeFiles(join(folder, 'cdk.out'), stackName, change);
      await cdk(target, 'deploy', '--require-approval', 'never', '--outputs-file', outputsFile);
      const [outputs = {}] = Object.values(
        JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Record<string, string>>,
      );
      const deployedUrl = outputs['BaseUrl'] ?? '';
      const url = emulator === undefined ? deployedUrl : emulatedUrl(emulator, deployedUrl);
      const baseUrl = url.replace(/\/$/, '');
      const operate = operateOn(target, branch);
      return {
        baseUrl,
        outputs,
        deploySeconds: (Date.now() - startedAtMs) / 1_000,
        client: createHttpClient(baseUrl),
        operate,
        /** Runs the acceptance suite against the stage; throws its output if it fails. */
        accept: () => operate('accept', '--base-url', baseUrl),
      };
    },
    async destroy(): Promise<void> {
      if (target.emulator !== undefined) await stopScheduledRuns(target.emulator, stackName);
      await cdk({ env: target.env, detached: true }, 'destroy', '--force');
    },
  };
};

export type Deployment = ReturnType<typeof createDeployment>;
export type DeployedStage = Awaited<ReturnType<Deployment['deploy']>>;
