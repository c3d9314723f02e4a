import { beforeAll, describe, expect, it, vi } from 'vitest';
import { canary } from '../../../functions/canary/handler.ts';
import { limitsOf } from '../../../infra/stage/function-limits.ts';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import { createCanaryKeyRepository } from '../../../lib/canary/canary-key-repository.ts';
import { logged } from '../../support/logs/log-lines.ts';
import {
  givenOperatedService,
  type KeyLine,
  type OperatedService,
} from '../../support/operators/deployed-stage.ts';
import { expectFailure } from '../../support/programs/expect-sentence.ts';

const PUBLIC_URL = 'https://api.example.com/stage';

let stage: OperatedService;

/** Makes the service of this process a stage with a canary. */
const deployCanary = (): void =>
  void stage.cloudFormation.stacks.set('CartCheckout-one', {
    status: 'UPDATE_COMPLETE',
    // The stack makes a table of its own with the same key.
    outputs: { ...stage.outputs, HasCanary: 'true' },
  });

beforeAll(async () => {
  stage = await givenOperatedService();
  deployCanary();
  await stage.runJson('canary', 'setup');
  return stage.close;
});

const key = () => createCanaryKeyRepository(stage.documents, stage.tableNames.secrets);

/** Sends a request through the whole pipeline of the service. `change` changes the response on its way back. */
const fetchFrom =
  (
    change: (response: Response, method: string) => Response | Promise<Response> = (response) => response,
  ): typeof fetch =>
  async (input, { method = 'GET', headers, body } = {}) => {
    const { origin, pathname } = new URL(input);
    expect(`${origin}${pathname}`).toMatch(`${PUBLIC_URL}/api/v1/stores/cart/`);
    const path = pathname.split('/').at(-1) ?? '';
    const sentHeaders = new Headers(headers);
    const apiKey = sentHeaders.get('authorization')?.replace('Bearer ', '');
    const sent = { apiKey, headers: { 'Content-Type': sentHeaders.get('content-type') ?? undefined } };
    const response =
      `${method} ${path}` === 'POST checkout'
        ? await stage.createCart(body as string, sent)
        : await stage.getCart(path, sent);
    return change(new Response(response.bodyText, response), method);
  };

const run = (send = fetchFrom(), findKey = () => key().find()): Promise<void> =>
  canary({ fetch: send, publicUrl: PUBLIC_URL, findKey })();

describe('the canary', () => {
  it('creates and retrieves a test cart with its own key, and its requests carry no metrics', async () => {
    const lines = await logged(() => run());
    expect(lines).toMatchObject([
      { operation: 'createCartCheckout', status: 201, storeId: 'canary', mode: 'test' },
      { operation: 'getCart', status: 200, storeId: 'canary', mode: 'test' },
    ]);
    for (const line of lines) expect(line).not.toHaveProperty('_aws');
  });

  const withoutHeaders = (response: Response, ...names: readonly string[]): Response => {
    for (const name of names) response.headers.delete(name);
    return response;
  };
  const withBody = async (
    response: Response,
    find: string | RegExp,
    replacement: string,
  ): Promise<Response> => new Response((await response.text()).replace(find, replacement), response);

  it.each<[string, string, (response: Response, method: string) => Response | Promise<Response>]>([
    ['another status', 'The POST responded 503, not 201.', () => new Response('{}', { status: 503 })],
    [
      'a cart that cannot be retrieved',
      'The GET responded 404, not 200.',
      (response, method) => (method === 'GET' ? new Response('{}', { status: 404 }) : response),
    ],
    [
      'no request id',
      'The response to the POST has no x-request-id.',
      (response) => withoutHeaders(response, 'x-request-id'),
    ],
    [
      'no rate limit',
      'The response to the POST has no x-ratelimit-remaining, x-ratelimit-reset.',
      (response) => withoutHeaders(response, 'x-ratelimit-remaining', 'x-ratelimit-reset'),
    ],
    [
      'no payment page',
      'The POST returned no payment page.',
      (response, method) => (method === 'POST' ? withBody(response, 'redirectUrl', 'url') : response),
    ],
    [
      'no created cart',
      'The POST returned no payment page.',
      (response) => new Response('{"redirectUrl":"https://pay.example/"}', response),
    ],
    [
      'the payment page of another cart',
      'The POST returned no payment page.',
      (response, method) => (method === 'POST' ? withBody(response, /[^/]*"}$/, 'another"}') : response),
    ],
    [
      'no price',
      'The GET returned another price.',
      (response, method) => (method === 'GET' ? withBody(response, '"price"', '"cost"') : response),
    ],
    [
      'another price',
      'The GET returned another price.',
      (response, method) => (method === 'GET' ? withBody(response, '19.9', '19') : response),
    ],
    [
      'another currency',
      'The GET returned another price.',
      (response, method) => (method === 'GET' ? withBody(response, 'EUR', 'USD') : response),
    ],
    [
      'another cart',
      'The GET returned another cart or status.',
      (response, method) => (method === 'GET' ? withBody(response, '"id":"', '"id":"0') : response),
    ],
    [
      'another status of the cart',
      'The GET returned another cart or status.',
      (response, method) =>
        method === 'GET' ? withBody(response, 'waiting_payment', 'completed') : response,
    ],
  ])('fails on %s, and logs the reason', async (_what, reason, change) => {
    let lines: Record<string, unknown>[] = [];
    const failing = async (): Promise<void> => {
      lines = await logged(() => expect(run(fetchFrom(change))).rejects.toThrow(reason));
    };
    await failing();
    expect(lines.at(-1)).toMatchObject({ level: 'ERROR', message: 'canary', outcome: 'failed', reason });
  });

  it('fails if nothing responds, and logs the cause without the address', async () => {
    const refuse = () => Promise.reject(Object.assign(new Error(PUBLIC_URL), { code: 'ECONNREFUSED' }));
    const lines = await logged(() => expect(run(refuse)).rejects.toThrow(PUBLIC_URL));
    expect(lines).toMatchObject([{ outcome: 'failed', cause: { code: 'ECONNREFUSED' } }]);
    expect(JSON.stringify(lines)).not.toContain(PUBLIC_URL);
  });

  it('ends a request that hangs, in time for both to fit into the time limit of the function', async () => {
    const ended = AbortSignal.abort(new Error('The request took too long.'));
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ended);
    const hang: typeof fetch = (_input, { signal } = {}) =>
      new Promise((_, reject) => signal?.aborted && reject(signal.reason as Error));
    await logged(() => expect(run(hang)).rejects.toThrow('The request took too long.'));
    const times = timeout.mock.calls.map(([ms]) => ms);
    timeout.mockRestore();
    expect(times).toHaveLength(1);
    expect(2 * Math.max(...times)).toBeLessThan(1_000 * limitsOf('canary').timeoutSeconds);
  });

  it('fails without a key, and says how to set it up', async () => {
    const lines = await logged(() =>
      expect(run(fetchFrom(), () => Promise.resolve(undefined))).rejects.toThrow('The canary has no key.'),
    );
    expect(lines).toMatchObject([{ reason: 'The canary has no key. Run npm run operate -- canary setup.' }]);
  });
});

describe('canary setup', () => {
  const statesOf = async (): Promise<Record<string, unknown>> =>
    Object.fromEntries((await stage.listKeys('canary')).map(({ keyId, state }: KeyLine) => [keyId, state]));

  it('rotates the key: it issues a test key with the default limits, and revokes the old one', async () => {
    const old = apiKeyId((await key().find()) ?? '');
    const { keyId } = await stage.runJson('canary', 'setup');
    expect(keyId).toBe(apiKeyId((await key().find()) ?? ''));
    expect(await statesOf()).toMatchObject({ [old]: 'revoked', [String(keyId)]: 'active' });
    await expect(run()).resolves.toBeUndefined();
  });

  it('shows nobody the key', async () => {
    const { stdout, stderr } = await stage.run(['canary', 'setup']);
    expect(stdout).toMatch(/^The canary of one has the new key [0-9a-f]{64}\. Its old key is revoked\.\n$/);
    expect(stdout + stderr).not.toContain('cck_');
  });

  it('on a stage without a canary fails in one sentence', async () => {
    stage.cloudFormation.stacks.set('CartCheckout-one', {
      status: 'UPDATE_COMPLETE',
      outputs: stage.outputs,
    });
    const words = /The stage one has no canary: .*-c canary=true/;
    expectFailure(await stage.run(['canary', 'setup']), 1, words);
    deployCanary();
  });

  it('is the only way to a key of its store, whose requests count in no metric', async () => {
    expectFailure(
      await stage.run(['keys', 'issue', '--store', 'canary']),
      2,
      /'canary' is invalid\. It is reserved for the canary, whose requests count in no metric\./,
    );
  });
});
