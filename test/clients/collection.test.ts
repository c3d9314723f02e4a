import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { stopProcesses } from '../support/processes.ts';
import { givenStage, type TestStage } from '../support/stage.ts';
import { deleteScript, importOpenApi, importPostman, runBruno } from './support/bruno.ts';
import { FOLDER, installPackages, runPackage } from './support/packages.ts';

const COLLECTION = join(FOLDER, '../../docs/postman-collection.json');

const CONTRACT = join(FOLDER, '../../docs/openapi.json');

const CREATION = 'Creates a cart';

/** The requests of the collection with the statuses of a run. The payment redirects, and some programs follow. */
const expectedRun = (paymentStatus: number) => [
  [CREATION, 201],
  ['Pays the cart in the sandbox', paymentStatus],
  ['Retrieves an existing cart to check its status', 200],
  ['Lists the events of a store, oldest first', 200],
  ['Creates a webhook endpoint', 201],
  ['Lists the webhook endpoints of a store, oldest first', 200],
  ['Retrieves a webhook endpoint', 200],
  ['Changes a webhook endpoint', 200],
  ['Replaces the secret of a webhook endpoint', 200],
  ['Sends a test event to a webhook endpoint', 202],
  ['Lists the deliveries of a webhook endpoint, the latest event first', 200],
  // The stage may not have begun the delivery.
  ['Sends the event of a delivery again', expect.toBeOneOf([202, 404])],
  ['Ends a cart that waits for payment', 409],
  ['Deletes a webhook endpoint and its secret', 200],
];

let stage: TestStage;

beforeAll(async () => {
  await installPackages();
});

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
  expect(run.executions.map(({ item, response }) => [item.name, response.code])).toStrictEqual(
    expectedRun(303),
  );
  await expectOnePaidCart();
});

test('the collection runs in Bruno after its import', async () => {
  const folder = await importPostman(COLLECTION);

  const run = await runBruno(folder, [], { baseUrl: stage.baseUrl });

  expect(run).toStrictEqual(expectedRun(200));
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
