import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { STORE_ID } from '../../../support/functions/dependencies.ts';
import { givenOperatedService, type KeyLine } from '../../../support/operators/deployed-stage.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const stage = await givenOperatedService();

afterAll(stage.close);

const iso = (timeMs: number): string => new Date(timeMs).toISOString();

describe('keys list', () => {
  test('shows all of a key except its secret', async () => {
    const flags = '--label shop --limit 3 --window 3600 --lang fr-FR --expires-in 2h'.split(' ');
    const issuedAtMs = stage.clock.now();
    const { apiKey, keyId } = await stage.issueKey(...flags);
    stage.clock.advance(10);
    await stage.order(apiKey);
    expect(await stage.listKeys(STORE_ID)).toStrictEqual([
      {
        keyId,
        storeId: STORE_ID,
        label: 'shop',
        mode: 'test',
        state: 'active',
        limit: 3,
        windowSeconds: 3_600,
        tokensLeft: 2,
        lang: 'fr-FR',
        createdAt: iso(issuedAtMs),
        lastUsedAt: iso(issuedAtMs + 10_000),
        expiresAt: iso(issuedAtMs + 7_200_000),
      },
    ]);
  });

  test('distinguishes active, expired and revoked keys, the oldest first', async () => {
    const store = ['--store', 'states'];
    const expired = await stage.issueKey(...store, '--expires-in', '2s');
    stage.clock.advance(1);
    const revoked = await stage.issueKey(...store);
    await stage.run(['keys', 'revoke', revoked.keyId]);
    stage.clock.advance(1);
    const active = await stage.issueKey(...store);
    const nowMs = stage.clock.now();
    expect(await stage.listKeys('states')).toMatchObject([
      { keyId: expired.keyId, state: 'expired', expiresAt: iso(nowMs) },
      { keyId: revoked.keyId, state: 'revoked', revokedAt: iso(nowMs - 1_000) },
      { keyId: active.keyId, state: 'active' },
    ]);
    for (const [state, { keyId }] of Object.entries({ expired, revoked, active })) {
      const { keys } = await stage.runJson<{ keys: KeyLine[] }>('keys', 'list', ...store, '--state', state);
      expect(keys.map((key) => key.keyId)).toStrictEqual([keyId]);
    }
    const { stdout } = await stage.run(['keys', 'list', ...store]);
    expect(stdout.match(/never/g)).toHaveLength(3);
  });

  test('without --store shows the keys of every store', async () => {
    for (const store of ['b-store', 'a-store']) await stage.issueKey('--store', store);
    const stores = (await stage.listKeys()).map(({ storeId }) => String(storeId));
    expect(stores).toStrictEqual(stores.toSorted());
    expect(stores).toStrictEqual(expect.arrayContaining(['a-store', 'b-store']));
  });

  test('shows a person a table', async () => {
    await stage.issueKey('--store', 'table', '--label', 'Web shop');
    const list = ['keys', 'list', '--store', 'table'];
    const { stdout } = await stage.run(list);
    expect(stdout).toMatch(/^KEY ID +STORE +LABEL +MODE /);
    expect(stdout).toMatch(/^[0-9a-f]{12} {2}table {2}Web shop +test +active +600\/60 s +600 +never$/m);
  });

  test('has one line a key in a terminal of 80 columns, or two if the keys have labels', async () => {
    const list = async () => {
      const { stdout } = await stage.run(['keys', 'list', '--store', 'demo-store-one'], {
        typed: '',
        columns: 80,
      });
      return stdout.trimEnd().split('\n');
    };
    const { apiKey } = await stage.issueKey('--store', 'demo-store-one');
    await stage.order(apiKey);
    const [, line = '', ...none] = await list();
    expect(line).toMatch(
      /^\w{12} {2}demo-store-one {2}test {2}active {2}600\/60 s +599 +\d{4}-\d\d-\d\d \d\d:\d\d$/,
    );
    expect(none).toStrictEqual([]);

    await stage.issueKey('--store', 'demo-store-one', '--label', 'Web shop', '--expires-in', '90d');
    const lines = await list();
    expect(lines).toHaveLength(6);
    for (const each of lines) expect(each.length).toBeLessThanOrEqual(80);
  });

  test('has all texts whole in a pipe, and shows ids that other commands accept', async () => {
    const store = await stage.givenStore('s'.repeat(128));
    const flags = ['--limit', '1000000', '--window', '86400', '--expires-in', '3650d'];
    const { keyId } = await stage.issueKey('--store', store, '--label', '🛒'.repeat(100), ...flags);
    const { key } = (await stage.apiKeys.find(keyId))!;
    const twin = keyId.slice(0, 8) + (keyId[8] === '0' ? '1' : '0').padEnd(56, 'a');
    const Item = { ...key, keyId: twin, createdAtMs: stage.clock.now() + 1 };
    await stage.documents.send(new PutCommand({ TableName: stage.tableNames.apiKeys, Item }));
    await stage.runJson('keys', 'revoke', twin.slice(0, 9));

    const { stdout } = await stage.run(['keys', 'list', '--store', store]);
    const lines = stdout.trim().split('\n');
    const lineOf = (id: string, state: string): unknown =>
      expect.stringMatching(
        new RegExp(
          `^${id.slice(0, 12)}  s{128}  🛒{100}  test  ${state} +1000000/86400 s  1000000  never$`,
          'u',
        ),
      );
    expect(lines.slice(1)).toStrictEqual([
      lineOf(keyId, 'ends 2036-01-13 12:30'),
      lineOf(twin, 'revoked 2026-01-15'),
    ]);
  });

  test('reports that a store has no keys', async () => {
    await stage.givenStore('nobody');
    expect(await stage.listKeys('nobody')).toStrictEqual([]);
    expect((await stage.run(['keys', 'list', '--store', 'nobody'])).stdout).toMatch(/no such keys/);
  });
});

/** ECMA-48 control sequences of both kinds, and a direction mark. */
const ESCAPES = '\u001b[2J\u009b31m\u202e';

describe('a key whose item is invalid', () => {
  const KEY_ID = 'a'.repeat(64);

  const putItem = (item: Record<string, unknown>) =>
    stage.documents.send(new PutCommand({ TableName: stage.tableNames.apiKeys, Item: item }));

  test.each([
    ['rotate', []],
    ['set-limit', ['--limit', '1', '--window', '1']],
  ])('is reported by keys %s', async (command, flags) => {
    await putItem({ keyId: KEY_ID, storeId: 'shop', mode: 'test', limit: 'many' });
    const ended = await stage.run(['keys', command, KEY_ID, ...flags, '--yes']);
    expectFailure(ended, 1, /invalid form.*Revoke it/);
  });

  test('can be revoked after a confirmation, because it may be live', async () => {
    await putItem({ keyId: KEY_ID, storeId: 'shop', limit: 'many' });
    expectFailure(await stage.run(['keys', 'revoke', KEY_ID]), 2, /--yes/);
    expect(await stage.runJson('keys', 'revoke', KEY_ID, '--yes')).toMatchObject({ revoked: true });
  });

  test('does not prevent a list of the others, even of a key that ends after the last date', async () => {
    await putItem({ keyId: `key${ESCAPES}`, limit: 'many' });
    const limits = { limit: 1, windowSeconds: 1, emissionIntervalMicros: 1_000_000, tatMicros: 0 };
    const endless = { storeId: 'shop', mode: 'test', ...limits, createdAtMs: 0, expiresAtMs: 9e15 };
    await putItem({ keyId: 'endless', ...endless });
    const { stdout } = await stage.run(['keys', 'list']);
    expect(stdout).toMatch(/^endless +shop +test +ends \+275760-09-13 /m);
    expect(stdout).toMatch(/^key\S+ is stored in an invalid form/m);
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });
});

describe('a new key that standard output rejects', () => {
  const LOSS = /^The key ([0-9a-f]{64}) was issued but could not be shown: revoke it\./;

  test.each(['ENOSPC', 'EPIPE'])('is reported by its id: %s', async (outputError) => {
    const store = await stage.givenStore(`store-${outputError}`);
    const issue = await stage.run(['keys', 'issue', '--store', store], { outputError });
    expectFailure(issue, 1, LOSS);
    const [old] = await stage.listKeys(store);
    expect(old?.keyId).toBe(LOSS.exec(issue.stderr)?.[1]);

    stage.clock.advance(1);
    const rotate = await stage.run(['keys', 'rotate', String(old?.keyId)], { outputError });
    expectFailure(rotate, 1, / Both keys work until the old one ends, at \S+Z\.\n$/);
    const keyIds = (await stage.listKeys(store)).map(({ keyId }) => keyId);
    expect(keyIds).toStrictEqual([old?.keyId, LOSS.exec(rotate.stderr)?.[1]]);
  });
});
