import { hash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { testedPrograms, givenShopPrograms, stopShops } from '../support/examples/programs.ts';
import { givenFeed } from '../support/service/feed-service.ts';

afterAll(stopShops);

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const newEvent = (type = 'cart.completed') => {
  const id = `evt_${randomBytes(16).toString('hex')}`;
  const data = type === 'webhook.ping' ? {} : { id: randomUUID(), status: 'completed' };
  return { id, type, timestamp: new Date().toISOString(), data };
};

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

const fileOf = ({ id }: { readonly id: string }): string => `${id}.json`;

interface Sending {
  readonly secrets: readonly string[];
  readonly ageSeconds?: number;
  /** Changes the bytes after the signature. */
  readonly change?: string;
}

/** Sends an event as the service does, signed by the package of Standard Webhooks. */
const respond = async (
  url: string,
  event: { readonly id: string },
  { secrets, ageSeconds = 0, change = '' }: Sending,
): Promise<Response> => {
  const body = JSON.stringify(event);
  const date = new Date(Date.now() - ageSeconds * 1_000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event.id, date, body));
  const headers = {
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(date.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
  return fetch(url, { method: 'POST', headers, body: body + change });
};

/** Returns the status of the response. */
const send = async (...args: Parameters<typeof respond>): Promise<number> => (await respond(...args)).status;

// The programs mostly wait, so they run concurrently.
describe.concurrent.each(testedPrograms())('the receiver for $language', (receiver) => {
  test('stores each signed event once, and nothing that the service did not sign within five minutes', async () => {
    const shop = givenShopPrograms(receiver);
    const secret = newSecret();
    const { url } = await shop.startReceiver(secret);
    const [stored, handled, rotated] = [newEvent(), newEvent(), newEvent()];
    writeFileSync(join(shop.inbox, 'done', fileOf(handled)), '');
    for (const event of [stored, handled, stored])
      expect(await send(url, event, { secrets: [secret] })).toBe(204);
    // During a rotation, both secrets sign.
    expect(await send(url, rotated, { secrets: [newSecret(), secret] })).toBe(204);

    const unsigned: Sending[] = [
      { secrets: [newSecret()] },
      { secrets: [] },
      { secrets: [secret], change: ' ' },
      { secrets: [secret], ageSeconds: 310 },
      { secrets: [secret], ageSeconds: -310 },
    ];
    for (const sending of unsigned) expect(await send(url, newEvent(), sending)).toBe(400);
    const other = { method: 'POST', headers: { 'webhook-signature': 'v1,', 'webhook-timestamp': 'now' } };
    expect((await fetch(url, { ...other, body: '{}' })).status).toBe(400);
    expect((await fetch(url, { ...other, body: 'x'.repeat(256 * 1_024 + 1) })).status).toBe(413);
    expect((await fetch(`${url}/other`, other)).status).toBe(404);
    expect(shop.waiting()).toStrictEqual([fileOf(stored), fileOf(rotated)].toSorted());
  });

  test('prints each event and each rejection, and says why it rejects one', async () => {
    const secret = newSecret();
    const { program, url } = await givenShopPrograms(receiver).startReceiver(secret);
    const [received, changed] = [newEvent(), newEvent()];
    expect(await send(url, received, { secrets: [secret] })).toBe(204);
    await program.written(new RegExp(`Received cart\\.completed ${received.id}`));

    const reason = await (await respond(url, changed, { secrets: [secret], change: ' ' })).text();
    const digest = hash('sha256', `${JSON.stringify(changed)} `);
    expect(reason).toMatch(new RegExp(`^No signature is valid for this secret and body: .* ${digest}$`));
    const output = await program.written(new RegExp(`Rejected: No signature is valid .*${digest}`));
    expect(output).not.toContain(secret);
  });

  test('keeps events, which have buyers, in files and folders that only their owner can read', async () => {
    const shop = givenShopPrograms(receiver);
    const inbox = join(shop.inbox, 'new');
    const secret = newSecret();
    const event = newEvent();
    const { url } = await shop.startReceiver(secret, inbox);
    expect(await send(url, event, { secrets: [secret] })).toBe(204);
    expect([inbox, join(inbox, 'done'), join(inbox, fileOf(event))].map(modeOf)).toStrictEqual([
      '700',
      '700',
      '600',
    ]);
  });

  test('has a worker that handles each event once, also after one that it cannot handle', async (context) => {
    const shop = givenShopPrograms(receiver);
    const about = [newEvent('webhook.ping'), newEvent('webhook_endpoint.created')];
    const events = [newEvent(), ...about, newEvent('cart.abandoned')];
    for (const event of events) writeFileSync(join(shop.inbox, fileOf(event)), JSON.stringify(event));
    writeFileSync(join(shop.inbox, 'broken.json'), '{');
    const worker = shop.startWorker();
    const output = await worker.written(/(?=[^]*cart\.completed)(?=[^]*cart\.abandoned)(?=[^]*broken)/);
    expect(output.match(/^cart\..*$/gm)?.toSorted()).toStrictEqual([
      `cart.abandoned ${events[3]?.data.id}`,
      `cart.completed ${events[0]?.data.id}`,
    ]);
    await context.expect.poll(shop.waiting).toStrictEqual(['broken.json']);
    expect(await worker.written(/cart/)).not.toContain('webhook_endpoint');
  });
});

describe.each(testedPrograms())('the reader of the feed for $language', (programs) => {
  test('stores each event once, page by page, and continues where it stopped', async () => {
    const shop = givenShopPrograms(programs);
    const { baseUrl, apiKey, completeCarts } = await givenFeed({ pageMax: 2 });
    await completeCarts(3);
    const read = () => shop.readFeed({ BASE_URL: baseUrl, API_KEY: apiKey });
    expect(await read()).toStrictEqual({ exitCode: 0, output: '' });
    const stored = shop.waiting();
    expect(stored).toHaveLength(3);
    // A crash before the cursor is stored repeats the page. The inbox ignores what it has.
    rmSync(join(shop.inbox, 'cursor'));
    await read();
    expect(shop.waiting()).toStrictEqual(stored);

    for (const name of stored) rmSync(join(shop.inbox, name));
    await completeCarts(1);
    await read();
    expect(shop.waiting()).toHaveLength(1);
    expect(stored).not.toContain(shop.waiting()[0]);

    writeFileSync(join(shop.inbox, 'cursor'), 'not-a-cursor');
    const output = expect.stringMatching(/^VALIDATION_ERROR: .+; query\.after: /);
    expect(await read()).toStrictEqual({ exitCode: 2, output });
    expect(readFileSync(join(shop.inbox, 'cursor'), 'utf8')).toBe('not-a-cursor');
  });

  test('names a missing or malformed variable without its value', async () => {
    const { readFeed } = givenShopPrograms(programs);
    const ended = await readFeed({ BASE_URL: 'http://127.0.0.1:1', API_KEY: 'a b' });
    expect(ended).toMatchObject({ exitCode: 1, output: 'API_KEY is missing or malformed.\n' });
  });
});
