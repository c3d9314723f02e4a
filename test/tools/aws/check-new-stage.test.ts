import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { UsageError } from '../../../infra/terminal/command-line.ts';
import { callerIdentityXml } from '../../support/operators/aws-stand-in.ts';
import { findCaller } from './account.ts';
import { checkNewStage, type Flags } from './check-new-stage.ts';

/** The resources that CloudFormation lists after the destruction, with their status. */
let resources: Readonly<Record<string, string>> = {};

const inList = (action: string, list: string, members: readonly string[]): string =>
  `<${action}Response><${action}Result><${list}>${members.map((member) => `<member>${member}</member>`).join('')}</${list}></${action}Result></${action}Response>`;

const RESPONSES: Readonly<Record<string, () => string>> = {
  GetCallerIdentity: callerIdentityXml,
  DescribeStacks: () => inList('DescribeStacks', 'Stacks', ['<StackId>id</StackId>']),
  ListStackResources: () =>
    inList(
      'ListStackResources',
      'StackResourceSummaries',
      Object.entries(resources).map(
        ([name, status]) =>
          `<ResourceType>AWS::DynamoDB::GlobalTable</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId><ResourceStatus>${status}</ResourceStatus>`,
      ),
    ),
};

/** STS and CloudFormation. */
const aws = createServer((request, response) => {
  const respond = (body: string) => {
    const xml = RESPONSES[new URLSearchParams(body).get('Action') ?? '']?.();
    return response.writeHead(xml === undefined ? 400 : 200, { 'Content-Type': 'text/xml' }).end(xml);
  };
  void text(request).then(respond);
});
const endpoint = `http://127.0.0.1:${await listen(aws, '127.0.0.1', 0)}`;

afterAll(() => {
  aws.closeAllConnections();
  aws.close();
});

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aws-'));
  writeFileSync(join(folder, 'credentials'), '[stages]\naws_access_key_id=a\naws_secret_access_key=b\n');
});

/** The commands of the CDK so far. */
const cdkCommands = (): string[] => {
  const log = join(folder, 'log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
};

/** Runs the tool for an account of this machine, with a CDK whose `deploy` is this command. */
const check = (deploy: string, flags: Flags) => {
  const cdk = join(folder, 'cdk');
  writeFileSync(cdk, `#!/bin/sh\necho "$1" >> ${folder}/log\nif [ "$1" = deploy ]; then ${deploy}; fi\n`);
  chmodSync(cdk, 0o755);
  const environment = {
    PATH: `${folder}:${process.env['PATH']}`,
    TMPDIR: folder,
    AWS_PROFILE: 'stages',
    // Those of the test run.
    AWS_ACCESS_KEY_ID: '',
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
    AWS_CONFIG_FILE: '/dev/null',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL: endpoint,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const cleanUp = new AsyncDisposableStack();
  return { ended: checkNewStage(cleanUp, flags), cleanUp, said: () => said.mock.calls.flat().join('\n') };
};

it('an account needs AWS_PROFILE', async () => {
  vi.stubEnv('AWS_PROFILE', '');
  await expect(findCaller()).rejects.toThrow('Set AWS_PROFILE to a profile of an account without production');
});

it('without a terminal to ask on, nothing is deployed', async () => {
  await expect(check('exit 1', {}).ended).rejects.toThrow(
    new UsageError('The deployment needs a confirmation, but standard input is no terminal: add --yes.'),
  );
  expect(cdkCommands()).toStrictEqual([]);
});

it('a stage whose deployment failed is destroyed, and what is left is listed by name', async () => {
  resources = { products: 'DELETE_COMPLETE', carts: 'DELETE_FAILED', secrets: 'DELETE_SKIPPED' };
  const { ended, said } = check('exit 1', { yes: true });
  const { report, hasPassed } = await ended;
  expect(cdkCommands()).toStrictEqual(['synth', 'deploy', 'destroy']);
  const [plan, ...others] = said().split('\n');
  expect(plan).toMatch(
    /the stage check-[0-9a-f]{8} into the account 123456789012 in eu-west-1, .* costs about \$0\.0[1-9]\. Nobody has run this on AWS yet\.$/,
  );
  const left = ['AWS::DynamoDB::GlobalTable carts', 'AWS::DynamoDB::GlobalTable secrets'];
  expect(others.filter((line) => line.startsWith('AWS::'))).toStrictEqual(left);
  expect(report).toMatch(/^a stage deploys +FAILED +cdk deploy .* failed/m);
  expect(report).toMatch(/^the destruction leaves nothing +FAILED +Delete the stack CartCheckout-check-/m);
  expect(report).toMatch(/ cost about \$0\.0/);
  expect(hasPassed).toBe(false);
});

it('a clean-up, which `runTool` begins on a signal, ends the deployment, and the stage is destroyed', async () => {
  resources = { carts: 'DELETE_COMPLETE' };
  // A shell handles a signal between two commands. A longer one in the background could outlive it, and keep its output open.
  const { ended, cleanUp, said } = check(
    `trap 'echo ended >> ${folder}/log; exit 1' TERM; echo ready >> ${folder}/log; for _ in $(seq 2000); do sleep 0.05; done`,
    { yes: true },
  );
  await expect.poll(cdkCommands).toContain('ready');
  await cleanUp.disposeAsync();
  expect(cdkCommands()).toStrictEqual(['synth', 'deploy', 'ready', 'ended', 'destroy']);
  expect(said()).toMatch(/^passed: the destruction leaves nothing$/m);
  expect(await ended).toMatchObject({ hasPassed: false });
});
