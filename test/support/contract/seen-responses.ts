import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder with the kinds of response of a run: one file per process. */
const FOLDER_VARIABLE = 'TEST_SEEN_RESPONSES_FOLDER';

/** The kind of a response, such as `getCart 404 INVALID_PRODUCT`. */
export const kindOfResponse = (operationId: string, status: number | string, code: unknown): string =>
  [operationId, status, ...(typeof code === 'string' ? [code] : [])].join(' ');

/** Creates the folder of this run. The run's processes inherit its name in the environment. */
export const createSeenResponsesFolder = (): void => {
  process.env[FOLDER_VARIABLE] = mkdtempSync(join(tmpdir(), 'cart-checkout-responses-'));
};

const noted = new Set<string>();

/** Notes the kind of a response, if this run collects them. */
export const noteResponse = (operationId: string, status: number, code: unknown): void => {
  const folder = process.env[FOLDER_VARIABLE];
  const kind = kindOfResponse(operationId, status, code);
  if (folder === undefined || noted.has(kind)) return;
  noted.add(kind);
  appendFileSync(join(folder, `${process.pid}.txt`), `${kind}\n`);
};

/** Returns the kinds of response that the run has seen, and removes the folder. */
export const takeSeenResponses = (): ReadonlySet<string> => {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined) throw new Error('This run does not collect responses');
  const kinds = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  );
  rmSync(folder, { recursive: true, force: true });
  return new Set(kinds);
};
