import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeApiProxies } from '../support/examples/api-proxy.ts';
import { stopProcesses } from '../support/programs/processes.ts';
import { givenStage, type TestStage } from '../support/programs/stage-process.ts';
import { cartIdOf } from '../support/service/http-client.ts';
import { submitAction } from '../support/service/sandbox-page.ts';
import {
  compileTypeScript,
  generatePython,
  generateTypeScript,
  type PythonClient,
} from './support/generate.ts';
import { givenLaterVersion, LATER_CODE, LATER_TYPES } from './support/later-version.ts';
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
  await submitAction(stage.baseUrl, cartIdOf(created), 'pay_twice');
};

beforeAll(async () => {
  stage = await givenStage();
  apiKey = stage.stores[0]?.apiKey ?? '';
  await payTwice();
});

afterAll(async () => {
  closeApiProxies();
  await stopProcesses();
});

/** The settings with which a program calls the stage, or another address. */
const visitor = (baseUrl = stage.baseUrl) => ({
  baseUrl,
  apiKey,
  buyer: { ...BUYER, productDocumentId: stage.productId },
});

const EVENTS: readonly unknown[] = ['cart.completed', expect.stringMatching(/^refund [0-9a-f-]{36}$/)];

const expectVisit = (
  visit: Visit,
  { code = 'VALIDATION_ERROR', unknownCode = 'INVALID_PRODUCT', events = EVENTS } = {},
): void => {
  const { id } = visit.created;
  expect(visit).toStrictEqual({
    created: { id, status: 'waiting_payment', redirectUrl: `${stage.baseUrl}/sandbox/checkout/${id}` },
    retrieved: { id, status: 'waiting_payment', amount: 49.9, currency: 'EUR', meta: { orderId: 'A-1' } },
    rejected: { status: 422, code, paths: ['email'] },
    unknown: { status: 404, code: unknownCode },
    events,
  });
};

/** Expects the values that the client knows, and the types and codes of a later version as they are. */
const expectLaterVisit = (visit: Visit): void =>
  expectVisit(visit, {
    code: LATER_CODE,
    unknownCode: LATER_CODE,
    events: [...LATER_TYPES, ...EVENTS],
  });

describe('TypeScript', () => {
  beforeAll(generateTypeScript);

  test('the generated clients and their programs compile under strict', async () => {
    await expect(compileTypeScript()).resolves.toBe('');
  });

  describe.each(['openapi-typescript', 'hey-api', 'orval', 'openapi-zod-client'])(
    'a client of %s',
    (generator) => {
      let visitStage: VisitStage;

      beforeAll(async () => {
        ({ visitStage } = (await import(`./programs/${generator}.ts`)) as { visitStage: VisitStage });
      });

      test('creates and retrieves a cart, and types rejections', async () => {
        expectVisit(await visitStage(visitor()));
      });

      test('reads responses with unknown types of events, codes and fields', async () => {
        expectLaterVisit(await visitStage(visitor(await givenLaterVersion(stage.baseUrl))));
      });
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

  const visit = async (baseUrl: string): Promise<Visit> => {
    const argument = JSON.stringify({ ...visitor(baseUrl), unknownCart: UNKNOWN_CART });
    return JSON.parse(await client.run(program, argument)) as Visit;
  };

  test('a client of openapi-python-client creates and retrieves a cart, and types rejections', async () => {
    expectVisit(await visit(stage.baseUrl));
  });

  test('a client of openapi-python-client reads responses with unknown types of events, codes and fields', async () => {
    expectLaterVisit(await visit(await givenLaterVersion(stage.baseUrl)));
  });
});
