import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cartIdOf } from '../support/http-client.ts';
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
let apiKey: string;

const BUYER = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '+1 555 0100',
  redirectURL: 'https://shop.example.com/thanks?cart={CART_ID}',
  meta: { orderId: 'A-1' },
};

/** Two payments of a cart make events of two types. */
const payTwice = async (): Promise<void> => {
  const { productId: productDocumentId } = stage;
  const created = await stage.createCart(JSON.stringify({ ...BUYER, productDocumentId }), { apiKey });
  const page = `${stage.baseUrl}/sandbox/checkout/${cartIdOf(created)}`;
  await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay_twice' }),
    redirect: 'manual',
  });
};

beforeAll(async () => {
  stage = await givenStage();
  apiKey = stage.stores[0]?.apiKey ?? '';
  await payTwice();
});

afterAll(stopProcesses);

/** The settings with which a program calls the stage. */
const visitor = () => ({
  baseUrl: stage.baseUrl,
  apiKey,
  buyer: { ...BUYER, productDocumentId: stage.productId },
});

const expectVisit = (visit: Visit): void => {
  const { id } = visit.created;
  expect(visit).toStrictEqual({
    created: { id, status: 'waiting_payment', redirectUrl: `${stage.baseUrl}/sandbox/checkout/${id}` },
    retrieved: { id, status: 'waiting_payment', amount: 49.9, currency: 'EUR', meta: { orderId: 'A-1' } },
    rejected: { status: 422, code: 'VALIDATION_ERROR', paths: ['email'] },
    unknown: { status: 404, code: 'INVALID_PRODUCT' },
    events: ['cart.completed', expect.stringMatching(/^refund [0-9a-f-]{36}$/)],
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

      expectVisit(await program.visitStage(visitor()));
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
    const argument = JSON.stringify({ ...visitor(), unknownCart: UNKNOWN_CART });

    expectVisit(JSON.parse(await client.run(program, argument)) as Visit);
  });
});
