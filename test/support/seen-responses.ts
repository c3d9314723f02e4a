import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the kinds of answer that a run has seen are collected, one file a process. */
const FOLDER_VARIABLE = 'TEST_SEEN_ANSWERS_FOLDER';

/** A kind of answer, such as `getCart 404 INVALID_PRODUCT`. */
export const kindOfResponse = (operationId: string, status: number | string, code: unknown): string =>
  [operationId, status, ...(typeof code === 'string' ? [code] : [])].join(' ');

/** Makes the folder of this run and tells the run's processes, which inherit the environment. */
export const createSeenResponsesFolder = (): void => {
  process.env[FOLDER_VARIABLE] = mkdtempSync(join(tmpdir(), 'cart-checkout-answers-'));
};

const noted = new Set<string>();

/** Notes an answer, if this run collects them. */
export const noteResponse = (operationId: string, status: number, code: unknown): void => {
  const folder = process.env[FOLDER_VARIABLE];
  const kind = kindOfResponse(operationId, status, code);
  if (folder === undefined || noted.has(kind)) return;
  noted.add(kind);
  appendFileSync(join(folder, `${process.pid}.txt`), `${kind}\n`);
};

/** All kinds of answer that the run has seen; the folder is removed. */
export const takeSeenResponses = (): ReadonlySet<string> => {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined) throw new Error('This run collects no answers');
  const kinds = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  );
  rmSync(folder, { recursive: true, force: true });
  return new Set(kinds);
};
