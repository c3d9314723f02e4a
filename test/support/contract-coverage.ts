import type { TestProject } from 'vitest/node';
import { OPERATIONS } from './contract.ts';
import { kindOfResponse, takeSeenResponses } from './seen-responses.ts';

/** What only a deployed gateway answers, and why nothing on this machine can. */
const DEPLOYED_ONLY: Readonly<Record<string, string>> = {
  FORBIDDEN: 'the firewall is an AWS service, and the local gateway has none',
};

/** Every kind of answer that the contract knows. */
export const documentedResponses = (): { readonly kind: string; readonly code: string | undefined }[] =>
  OPERATIONS.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const codes = Number(status) < 400 ? [undefined] : Object.keys(content['application/json'].examples);
      return codes.map((code) => ({ kind: kindOfResponse(operationId, status, code), code }));
    }),
  );

/** Whether all tests there are have run, and passed: a part of them cannot be asked to produce everything. */
const isWholeRun = async ({ vitest }: TestProject): Promise<boolean> => {
  const ran = vitest.state.getTestModules();
  const all = await vitest.globTestSpecifications();
  const isFiltered = vitest.config.testNamePattern !== undefined;
  return !isFiltered && ran.length === all.length && ran.every((module) => module.ok());
};

/**
 * Ends the collection of this run's answers.
 *
 * @throws Error that lists what the contract knows and no test has produced; the run then fails
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
      `No test produces what docs/openapi.json knows: ${missing.map(({ kind }) => kind).join(', ')}`,
    );
  }
  const reasons = Object.entries(DEPLOYED_ONLY).map(([code, reason]) => `${code} (${reason})`);
  process.stdout.write(
    `${documented.length} kinds of answer are in the contract: each was seen, but for ${reasons.join(', ')}\n`,
  );
};
