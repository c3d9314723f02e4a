import type { TestProject } from 'vitest/node';
import { OPERATIONS } from './contract.ts';
import { kindOfResponse, takeSeenResponses } from './seen-responses.ts';

/** The codes that only a deployed gateway returns, and why no test on this machine can produce them. */
const DEPLOYED_ONLY: Readonly<Record<string, string>> = {
  FORBIDDEN: 'the firewall is an AWS service, and the local gateway has none',
};

/** Every kind of response in the contract. */
const documentedResponses = (): { readonly kind: string; readonly code: string | undefined }[] =>
  OPERATIONS.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const codes =
        Number(status) < 400 ? [undefined] : Object.keys(content?.['application/json'].examples ?? {});
      return codes.map((code) => ({ kind: kindOfResponse(operationId, status, code), code }));
    }),
  );

/** Whether all tests ran and passed. A partial run cannot produce every response. */
const isWholeRun = async ({ vitest }: TestProject): Promise<boolean> => {
  const ran = vitest.state.getTestModules();
  const all = await vitest.globTestSpecifications();
  const isFiltered = vitest.config.testNamePattern !== undefined;
  return !isFiltered && ran.length === all.length && ran.every((module) => module.ok());
};

/**
 * Ends the collection of this run's responses. After a whole run, it fails if the contract lists a response that no test
 * produced.
 *
 * @throws Error that lists the missing responses
 */
export const endSeenResponses = async (project: TestProject): Promise<void> => {
  const seen = takeSeenResponses();
  if (!(await isWholeRun(project))) return;
  const documented = documentedResponses();
  const missing = documented.filter(
    ({ kind, code }) => !seen.has(kind) && !(code !== undefined && code in DEPLOYED_ONLY),
  );
  if (missing.length > 0) {
    process.exitCode = 1;
    throw new Error(
      `No test produces these responses of docs/openapi.json: ${missing.map(({ kind }) => kind).join(', ')}`,
    );
  }
  const reasons = Object.entries(DEPLOYED_ONLY).map(([code, reason]) => `${code} (${reason})`);
  process.stdout.write(
    `Tests produced all ${documented.length} kinds of response in the contract, except ${reasons.join(', ')}\n`,
  );
};
