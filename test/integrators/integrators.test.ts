import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mode } from '../../lib/api-keys/api-key.ts';
import { stopProcesses } from '../support/processes.ts';
import { givenStage } from '../support/stage.ts';
import type { Outcome, Program, Shop, WireResponse } from './support/program.ts';
import { givenShop } from './support/shop.ts';

const FOLDER = join(import.meta.dirname, 'programs');

/** All programs, by the names of their files. */
const PROGRAMS = await Promise.all(
  readdirSync(FOLDER).map(async (file): Promise<[name: string, program: Program]> => {
    const { program } = (await import(join(FOLDER, file))) as { program: Program };
    return [basename(file, '.ts'), program];
  }),
);

const MODES = ['test', 'live'] as const satisfies readonly Mode[];

const expectOutcome = (response: WireResponse, { status, code, details }: Outcome): void => {
  expect(response.status, response.bodyText).toBe(status);
  expect(response.body?.code).toBe(code);
  if (details === undefined) {
    expect(response.body?.details).toBeUndefined();
    return;
  }
  const messages = Object.entries(details).map(([path, message]) => [
    path,
    typeof message === 'string' ? message : expect.stringMatching(message),
  ]);
  const received = (response.body.details as { path: string; message: string }[]).map((detail) => [
    detail.path,
    detail.message,
  ]);
  expect(Object.fromEntries(received)).toStrictEqual(Object.fromEntries(messages));
};

let shops: Readonly<Record<Mode, Shop>>;
let asExpected = 0;

beforeAll(async () => {
  const stage = await givenStage();
  shops = { test: await givenShop(stage, 'test'), live: await givenShop(stage, 'live') };
});

afterAll(async () => {
  await stopProcesses();
  const all = PROGRAMS.length * MODES.length;
  console.log(`${asExpected} of ${all} programs and modes of test/integrators as expected`);
});

describe.each(MODES)('in %s mode', (mode) => {
  it.each(PROGRAMS)('%s', async (_, { creates, gets, reads, sees }) => {
    const shop = shops[mode];
    const response = await shop.send(creates(shop));

    expectOutcome(response, 'status' in gets ? gets : gets[mode]);
    const seen = mode === 'test' ? await reads?.(response, shop) : sees;
    expect(seen).toStrictEqual(sees);
    asExpected += 1;
  });
});
