import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopProcesses } from '../support/processes.ts';
import { givenStage, type TestStage } from '../support/stage.ts';
import {
  compileTypeScript,
  generatePython,
  generateTypeScript,
  type PythonClient,
} from './support/generate.ts';
import { installPackages } from './support/packages.ts';
import { UNKNOWN_CART, type Visit, type VisitStage } from './support/visit.ts';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage();
});

afterAll(stopProcesses);

const BUYER = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '+1 555 0100',
  redirectURL: 'https://shop.example.com/thanks?cart={CART_ID}',
  meta: { orderId: 'A-1' },
};

/** A store with one paid cart, and what a program needs to visit it. */
const givenVisitor = async () => {
  const [store] = stage.stores;
  const apiKey = store?.apiKey ?? '';
  return { baseUrl: stage.baseUrl, apiKey, buyer: { ...BUYER, productDocumentId: stage.productId } };
};

const expectVisit = (visit: Visit): void => {
  const { id } = visit.created;
  expect(visit).toStrictEqual({
    created: { id, status: 'waiting_payment', redirectUrl: `${stage.baseUrl}/sandbox/checkout/${id}` },
    retrieved: { id, status: 'waiting_payment', amount: 49.9, currency: 'EUR', meta: { orderId: 'A-1' } },
    rejected: { status: 422, code: 'VALIDATION_ERROR', paths: ['email'] },
    unknown: { status: 404, code: 'INVALID_PRODUCT' },
    events: [],
  });
};

describe('TypeScript', () => {
  beforeAll(async () => {
    await installPackages();
    await generateTypeScript();
  });

  test('the generated clients and their programs compile under strict', async () => {
    await expect(compileTypeScript()).resolves.toBe('');
  });

  test.each(['openapi-typescript', 'hey-api', 'orval'])(
    'a client of %s creates and retrieves a cart, and types rejections',
    async (generator) => {
      const program = (await import(`./programs/${generator}.ts`)) as { visitStage: VisitStage };

      expectVisit(await program.visitStage(await givenVisitor()));
    },
  );
});

describe('Python', () => {
  const program = 'openapi_python_client.py';
  let client: PythonClient;

  beforeAll(async () => {
    client = await generatePython();
  });

  test('the generated client of openapi-python-client and its program pass mypy --strict', async () => {
    await expect(client.check(program)).resolves.toMatch(/^Success: /);
  });

  test('a client of openapi-python-client creates and retrieves a cart, and types rejections', async () => {
    const argument = JSON.stringify({ ...(await givenVisitor()), unknownCart: UNKNOWN_CART });

    expectVisit(JSON.parse(await client.run(program, argument)) as Visit);
  });
});
