import { isDeepStrictEqual } from 'node:util';
import { comparableBody, comparableHeader, type Observation, type Side } from './observe.ts';
import { signingDateOf, type VerifySignature } from './signatures.ts';
import type { WireRequest } from './wire-request.ts';

/** A subject on which the two clients differ. */
export interface Difference {
  readonly subject: string;
  readonly sdk: string;
  readonly lean: string;
}

/** The sides of a call, with all that each showed. */
export interface Seen {
  readonly side: Side;
  readonly observation: Observation;
}

const ABSENT = '(absent)';

/** DynamoDB accepts a signature within 5 minutes of its time. The SDK corrects its clock from 4 minutes. */
const SIGNING_TIME_TOLERANCE_MS = 60_000;

/** These have checks of their own: a wrong length changes the body. */
const VOLATILE_HEADERS = new Set(['authorization', 'content-length', 'x-amz-date', 'x-amz-content-sha256']);

const compareTexts = (
  sdk: Readonly<Record<string, string>>,
  lean: Readonly<Record<string, string>>,
  subjectOf = (name: string) => name,
): Difference[] =>
  [...new Set([...Object.keys(sdk), ...Object.keys(lean)])]
    .map((name) => ({ subject: subjectOf(name), sdk: sdk[name] ?? ABSENT, lean: lean[name] ?? ABSENT }))
    .filter((difference) => difference.sdk !== difference.lean);

const headersOf = (side: Side, { headers }: WireRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !VOLATILE_HEADERS.has(name))
      // The id of each call is random.
      .map(([name, value]) => [
        name,
        name === 'amz-sdk-invocation-id' ? 'an id' : comparableHeader(side, value),
      ]),
  );

/** Names the difference of two bodies: `body` in its values, `body: order of keys` or `body: bytes` only in its form. */
const compareBodies = (sdk: string, lean: string): Difference[] => {
  if (sdk === lean) return [];
  try {
    const [sdkValue, leanValue] = [JSON.parse(sdk), JSON.parse(lean)] as [unknown, unknown];
    if (!isDeepStrictEqual(sdkValue, leanValue)) return [{ subject: 'body', sdk, lean }];
    const isReordered = JSON.stringify(sdkValue) !== JSON.stringify(leanValue);
    return [{ subject: isReordered ? 'body: order of keys' : 'body: bytes', sdk, lean }];
  } catch {
    return [{ subject: 'body', sdk, lean }];
  }
};

const compareRequests = (
  sdk: readonly [Side, WireRequest],
  lean: readonly [Side, WireRequest],
): Difference[] => {
  const lines = { sdk: sdk[1].line, lean: lean[1].line };
  const dates = {
    sdk: sdk[1].headers['x-amz-date'] ?? ABSENT,
    lean: lean[1].headers['x-amz-date'] ?? ABSENT,
  };
  const distanceMs = Math.abs(signingDateOf(dates.sdk).getTime() - signingDateOf(dates.lean).getTime());
  const checksums = {
    sdk: sdk[1].headers['x-amz-content-sha256'] === undefined ? ABSENT : 'present',
    lean: lean[1].headers['x-amz-content-sha256'] === undefined ? ABSENT : 'present',
  };
  return [
    ...(lines.sdk === lines.lean ? [] : [{ subject: 'request line', ...lines }]),
    ...compareTexts(headersOf(...sdk), headersOf(...lean), (name) => `header ${name}`),
    ...(checksums.sdk === checksums.lean ? [] : [{ subject: 'header x-amz-content-sha256', ...checksums }]),
    ...(distanceMs <= SIGNING_TIME_TOLERANCE_MS ? [] : [{ subject: 'header x-amz-date', ...dates }]),
    ...compareBodies(comparableBody(...sdk), comparableBody(...lean)),
  ];
};

/** All retries of a call have the same body, and with it the same idempotency token. */
const checkRetries = ({ observation: { requests } }: Seen): string =>
  requests.every(({ body }) => body.equals(requests[0]?.body ?? body))
    ? 'same body'
    : 'other body in a retry';

const checkSignatures = async ({ observation }: Seen, verify: VerifySignature): Promise<string> => {
  const problems = await Promise.all(observation.requests.map((request) => verify(request)));
  return problems.find((problem) => problem !== undefined) ?? 'valid';
};

/** Compares all that the two clients showed in the same call. */
export const compare = async (sdk: Seen, lean: Seen, verify: VerifySignature): Promise<Difference[]> => {
  const sdkRequests = sdk.observation.requests;
  const leanRequests = lean.observation.requests;
  const pairs = sdkRequests.slice(0, leanRequests.length).map((request, index) => {
    const leanRequest = leanRequests[index] ?? request;
    return compareRequests([sdk.side, request], [lean.side, leanRequest]);
  });
  const checksOf = (seen: Seen) => ({
    'number of requests': String(seen.observation.requests.length),
    retries: checkRetries(seen),
  });
  // The SDK's signer verifies, so its own client's signatures are valid.
  const signatures = { signature: await checkSignatures(lean, verify) };
  return [
    ...compareTexts(sdk.observation.seen, lean.observation.seen),
    ...compareTexts(checksOf(sdk), checksOf(lean)),
    ...compareTexts({ signature: 'valid' }, signatures),
    ...pairs.flat(),
  ];
};
