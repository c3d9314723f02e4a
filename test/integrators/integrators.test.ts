import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningGateway } from '../../infra/local/gateway/gateway.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { givenService } from '../support/service/service.ts';
import {
  order,
  type Outcome,
  type Program,
  type Programs,
  type Shop,
  type WireResponse,
} from './support/program.ts';
import { givenShop, serve } from './support/shop.ts';

const FOLDER = join(import.meta.dirname, 'programs');

const FILES = await Promise.all(
  readdirSync(FOLDER).map(async (file) => (await import(join(FOLDER, file))) as { programs: Programs }),
);

const PROGRAMS = FILES.flatMap(({ programs }) => Object.entries(programs));

/** Each program in both modes. */
const CHECKS = PROGRAMS.flatMap(([name, program]) =>
  (['test', 'live'] as const).map((mode): [string, Mode, Program, Outcome] => [
    name,
    mode,
    program,
    'status' in program.gets ? program.gets : program.gets[mode],
  ]),
);

const expectOutcome = (response: WireResponse, { status, code, details }: Outcome): void => {
  expect(response.status, response.bodyText).toBe(status);
  expect(response.body?.code).toBe(code);
  const received = response.body?.details as { path: string; message: string }[] | undefined;
  expect(received && Object.fromEntries(received.map(({ path, message }) => [path, message]))).toStrictEqual(
    details &&
      Object.fromEntries(
        Object.entries(details).map(([path, message]) => [
          path,
          typeof message === 'string' ? message : expect.stringMatching(message),
        ]),
      ),
  );
};

let gateway: RunningGateway;
let shops: Readonly<Record<Mode, Shop>>;
let asExpected = 0;

beforeAll(async () => {
  const service = await givenService();
  gateway = await serve(service);
  shops = {
    test: await givenShop(service, gateway, 'test'),
    live: await givenShop(service, gateway, 'live'),
  };
});

afterAll(async () => {
  await gateway.close();
  console.log(
    `${PROGRAMS.length} programs of integrators: ${asExpected} of ${CHECKS.length} outcomes as expected`,
  );
});

it.each(CHECKS)('%s in %s mode', async (_, mode, { orders, creates, reads, sees }, outcome) => {
  const shop = shops[mode];
  const response = await shop.send(creates?.(shop) ?? { body: order(shop, orders) });

  expectOutcome(response, outcome);
  // The sandbox takes payments in test mode only.
  const seen = mode === 'test' ? await reads?.(response, shop) : sees;
  expect(seen).toStrictEqual(sees);
  asExpected += 1;
});
