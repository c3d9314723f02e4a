import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { safeStageName, stackNameOf } from '../../../infra/stages.ts';
import { createHttpClient } from '../../support/http-client.ts';
import { awsEnv, stopScheduledRuns } from './aws.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The home folder of all commands. It hides a developer's AWS profile and holds the CDK's cache. */
const HOME = mkdtempSync(join(tmpdir(), 'cart-checkout-deploy-'));

/** Runs a command; returns its standard output, and throws all output if it fails. */
const run = async (endpoint: string, file: string, args: readonly string[], cwd = ROOT): Promise<string> => {
  const options = { cwd, env: awsEnv(endpoint, HOME), maxBuffer: 64 * 1_024 * 1_024 };
  try {
    return (await promisify(execFile)(file, [...args], options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${file} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
};

export const bootstrap = (endpoint: string): Promise<string> =>
  run(endpoint, 'cdk', ['bootstrap', 'aws://000000000000/us-east-1']);

/** Runs `npm run operate -- ... --stage <branch> --json`. */
const operateOn =
  (endpoint: string, branch: string) =>
  async (...args: readonly string[]) => {
    const command = ['run', '--silent', 'operate', '--', ...args, '--stage', branch, '--json'];
    return JSON.parse(await run(endpoint, 'npm', command)) as Record<string, unknown>;
  };

/**
 * Decodes the paths of method settings, in which CloudFormation expects `~1` for a slash. MiniStack 1.5.33 expects slashes, and
 * otherwise gives each operation the limit of unknown paths.
 */
const decodeMethodSettings = (templateFile: string): void => {
  const template = readFileSync(templateFile, 'utf8');
  writeFileSync(templateFile, template.replaceAll('/~1', '/').replaceAll('~1', '/'));
};

/** Deploys a branch's stage like the workflows: first the synthesis, then its result alone, without the project. */
export const deploy = async (endpoint: string, branch: string) => {
  const folder = mkdtempSync(join(HOME, 'stage-'));
  const outputsFile = join(folder, 'outputs.json');
  const startedAtMs = Date.now();
  await run(endpoint, 'cdk', [
    'synth',
    '--quiet',
    '-c',
    `stage=${branch}`,
    '-c',
    'webhookLoopback=true',
    '-c',
    'dashboard=true',
    '--output',
    join(folder, 'cdk.out'),
  ]);
  decodeMethodSettings(join(folder, 'cdk.out', `${stackNameOf(safeStageName(branch))}.template.json`));
  const cdk = (command: string, ...flags: readonly string[]): Promise<string> =>
    run(endpoint, 'cdk', [command, '--app', 'cdk.out', '--no-notices', ...flags], folder);
  await cdk('deploy', '--require-approval', 'never', '--outputs-file', outputsFile);
  const deploySeconds = (Date.now() - startedAtMs) / 1_000;

  const [outputs = {}] = Object.values(
    JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Record<string, string>>,
  );
  // The emulator serves `https://{api}.execute-api.{region}.amazonaws.com` under a path of its own.
  const apiId = new URL(outputs['BaseUrl'] ?? '').hostname.split('.')[0];
  const baseUrl = `${endpoint}/_aws/execute-api/${apiId}/${safeStageName(branch)}`;
  return {
    baseUrl,
    outputs,
    deploySeconds,
    client: createHttpClient(baseUrl),
    operate: operateOn(endpoint, branch),
    /** Runs the acceptance suite against the stage; throws its output if it fails. */
    accept: () => operateOn(endpoint, branch)('accept', '--base-url', baseUrl),
    destroy: async (): Promise<void> => {
      await stopScheduledRuns(endpoint, stackNameOf(safeStageName(branch)));
      await cdk('destroy', '--force');
    },
  };
};

export type DeployedStage = Awaited<ReturnType<typeof deploy>>;
