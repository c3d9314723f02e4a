import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PUBLIC_OPERATIONS } from '../../infra/contract/contracts.ts';
import { OPERATION_ROWS } from '../support/operations/all-rows.ts';
import type { MerchantOperationName } from '../support/operations/row-types.ts';
import { stopProcesses } from '../support/programs/processes.ts';
import { givenStage, type TestStage } from '../support/programs/stage-process.ts';
import { deleteScript, importOpenApi, importPostman, runBruno } from './support/bruno.ts';
import { FOLDER, runPackage } from './support/packages.ts';

const COLLECTION = join(FOLDER, '../../docs/postman-collection.json');

const CONTRACT = join(FOLDER, '../../docs/openapi.json');

const CREATION = 'Creates a cart';

/** The statuses of operations on a cart that is paid, and on a delivery that may not have begun. */
const OTHER_STATUSES: Readonly<Record<string, unknown>> = {
  expireCart: 409,
  resendWebhookDelivery: expect.toBeOneOf([202, 404]),
};

/** The status of the response to each request, by its name. The payment redirects, and some programs follow. */
const expectedRun = (paymentStatus: number): Readonly<Record<string, unknown>> => ({
  'Pays the cart in the sandbox': paymentStatus,
  ...Object.fromEntries(
    PUBLIC_OPERATIONS.map(({ operationId, summary }) => [
      summary.replace(/\.$/, ''),
      OTHER_STATUSES[operationId] ?? OPERATION_ROWS[operationId as MerchantOperationName].status,
    ]),
  ),
});

let stage: TestStage;

beforeEach(async () => {
  stage = await givenStage();
});

afterEach(stopProcesses);

/** Expects that a run paid the cart that it created. */
const expectOnePaidCart = async (): Promise<void> => {
  const response = await fetch(`${stage.baseUrl}/api/v1/stores/events`, {
    headers: { Authorization: `Bearer ${stage.stores[0]?.apiKey}` },
  });
  const { events } = (await response.json()) as { events: { type: string }[] };
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('cart.'))).toStrictEqual(['cart.completed']);
};

test("the collection runs in Postman's runner: it creates, pays and retrieves a cart", async () => {
  const report = join(mkdtempSync(join(tmpdir(), 'newman-')), 'report.json');
  const reporters = ['--reporters', 'cli,json', '--reporter-json-export', report];

  await runPackage('newman', ['run', COLLECTION, '--env-var', `baseUrl=${stage.baseUrl}`, ...reporters]);

  const { run } = JSON.parse(readFileSync(report, 'utf8')) as {
    run: { executions: { item: { name: string }; response: { code: number } }[] };
  };
  const statuses = run.executions.map(({ item, response }) => [item.name, response.code] as const);
  expect(Object.fromEntries(statuses)).toStrictEqual(expectedRun(303));
  await expectOnePaidCart();
});

test('the collection runs in Bruno after its import', async () => {
  const folder = await importPostman(COLLECTION);

  const run = await runBruno(folder, [], { baseUrl: stage.baseUrl });

  expect(Object.fromEntries(run)).toStrictEqual(expectedRun(200));
  await expectOnePaidCart();
});

test('the OpenAPI document runs in Bruno after its import', async () => {
  const folder = await importOpenApi(CONTRACT);
  const variables = { baseUrl: stage.baseUrl, token: stage.stores[0]?.apiKey ?? '' };

  // docs/integrate.md says to: Bruno's script for a link fails if the pointer has two parts.
  deleteScript(folder, `Carts/${CREATION}.bru`);
  const run = await runBruno(folder, [`Carts/${CREATION}.bru`], variables);

  expect(run.map(([, status]) => status)).toStrictEqual([201]);
});
