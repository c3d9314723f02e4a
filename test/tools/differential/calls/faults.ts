import fc from 'fast-check';
import { responseBytes } from '../wire-request.ts';
import type { Step } from '../wire-tap.ts';
import { errorBodies } from './errors.ts';
import { successBodies } from './responses.ts';

/** A step of a plan, as data that prints well. */
export interface PlannedStep {
  readonly kind: 'forward' | 'lose response' | 'reset' | 'close' | 'respond' | 'abort';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The damage to the response. */
  readonly damage?: Damage;
}

type Damage = 'none' | 'chunked' | 'cut in the head' | 'cut in the body' | 'closed after' | 'no length';

/** A plan lists how the tap treats the requests of a call, and whether the caller aborts it. */
export interface Plan {
  readonly steps: readonly PlannedStep[];
  readonly abortReason?: unknown;
  readonly abortsBefore?: boolean;
}

const BROKEN_BODIES = [
  '',
  ' ',
  '{',
  '{"Item":',
  '{"__type":"ResourceNotFoundException","message":"cut',
  '<html><head><title>502 Bad Gateway</title></head></html>',
  '{}',
  '\uFEFF{}',
  '"text"',
  '7',
  'true',
  'null',
  '[]',
  '["text",{}]',
];

const successStatuses = fc.constantFrom(200, 200, 201, 204);
const errorStatuses = fc.constantFrom(
  301,
  400,
  400,
  400,
  403,
  404,
  413,
  429,
  500,
  500,
  501,
  502,
  503,
  504,
  599,
);

const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Record<string, string>>({ 'x-amzn-requestid': 'ID-1' }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Record<string, string>>(
      {},
      { 'X-Amzn-RequestId': 'ID-2', 'x-amz-id-2': 'EXTENDED', 'x-amz-cf-id': 'CLOUDFRONT' },
      { 'x-amz-request-id': 'ID-3' },
      { 'x-amzn-request-id': 'ID-4' },
      { 'x-amzn-errortype': 'ThrottlingException:http://internal.amazon.com/' },
      { 'X-Amzn-ErrorType': 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException' },
      { 'retry-after': '0' },
      { 'retry-after': 'soon' },
      { 'x-amz-retry-after': '60' },
      { 'x-amz-retry-after': 'soon' },
      { 'content-type': 'text/html' },
      { 'content-type': 'application/x-amz-json-1.0', 'x-amz-crc32': '1' },
      { date: 'never' },
      { age: '7200' },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom({ date: 'ahead' }, { date: 'behind', 'x-amzn-requestid': 'ID-5' }),
  },
);

const damages = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Damage>('none') },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Damage>(
      'chunked',
      'cut in the head',
      'cut in the body',
      'closed after',
      'no length',
    ),
  },
);

/** A status with a body that fits it, or with a broken one. */
const contentsOf = (kind: string): fc.Arbitrary<Pick<PlannedStep, 'status' | 'body'>> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ status: errorStatuses, body: errorBodies }) },
    { weight: 3, arbitrary: fc.record({ status: successStatuses, body: successBodies(kind) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        status: fc.oneof(errorStatuses, successStatuses),
        body: fc.constantFrom(...BROKEN_BODIES),
      }),
    },
  );

/** Numbers that `unmarshall` rejects. */
const IMPOSSIBLE_NUMBERS = /"N":"(?:1e125|9\.99E\+125)"/;

/**
 * Leaves out headers that only one client reads: the pause of a response that is cut, which is the SDK, and the date of a
 * result with an impossible number, which is the lean client.
 */
const readable = ({ headers: fields = {}, damage, body = '' }: PlannedStep): Record<string, string> => {
  const { 'x-amz-retry-after': pause, date, ...others } = fields;
  return {
    ...others,
    ...(pause !== undefined && damage !== 'cut in the body' && { 'x-amz-retry-after': pause }),
    ...(date !== undefined && !IMPOSSIBLE_NUMBERS.test(body) && { date }),
  };
};

const stepsOf = (kind: string): fc.Arbitrary<PlannedStep> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<PlannedStep>({ kind: 'forward' }, { kind: 'lose response' }) },
    { weight: 3, arbitrary: fc.constantFrom<PlannedStep>({ kind: 'reset' }, { kind: 'close' }) },
    {
      weight: 18,
      arbitrary: fc
        .record({
          kind: fc.constant('respond' as const),
          content: contentsOf(kind),
          headers,
          damage: damages,
        })
        .map(({ content, ...step }) => ({ ...step, ...content, headers: readable({ ...step, ...content }) })),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom<PlannedStep>({ kind: 'respond', damage: 'none', body: 'not HTTP' }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('abort' as const),
        // Nothing, or the head and a part of the body.
        damage: fc.constantFrom<Damage>('none', 'cut in the body'),
      }),
    },
  );

const ABORT_REASONS = [
  undefined,
  new Error('the reason'),
  'a text',
  null,
  Object.assign(new Error('own'), { name: 'OwnError' }),
];

/** Generates plans for calls of a kind. */
export const plansOf = (kind: string): fc.Arbitrary<Plan> =>
  fc.record(
    {
      steps: fc.array(stepsOf(kind), { minLength: 1, maxLength: 2 }),
      abortReason: fc.constantFrom<unknown>(...ABORT_REASONS),
      abortsBefore: fc.integer({ min: 0, max: 30 }).map((chance) => chance === 0),
    },
    { requiredKeys: ['steps'] },
  );

const bytesOf = ({ status, headers: fields = {}, body = '{}', damage }: PlannedStep): Uint8Array => {
  if (status === undefined) return Buffer.from(damage === 'cut in the body' ? '' : body);
  const bytes = Buffer.from(body);
  // A response without content has no body.
  const hasBody = status !== 204;
  if (!hasBody) return responseBytes(status, fields, Buffer.alloc(0));
  // Without the header, a retry could still take the connection.
  if (damage === 'closed after') {
    const closing = { ...fields, connection: 'close', 'content-length': String(bytes.length) };
    return responseBytes(status, closing, bytes);
  }
  if (damage === 'no length') return responseBytes(status, { ...fields, connection: 'close' }, bytes);
  if (damage === 'chunked') {
    const half = bytes.length >> 1;
    const chunks = [bytes.subarray(0, half), bytes.subarray(half)].filter(({ length }) => length > 0);
    const parts = chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]);
    const framed = Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
    return responseBytes(status, { ...fields, 'transfer-encoding': 'chunked' }, framed);
  }
  const complete = responseBytes(status, { ...fields, 'content-length': String(bytes.length) }, bytes);
  if (damage === 'cut in the head') return complete.subarray(0, 20);
  return damage === 'cut in the body' ? complete.subarray(0, -1) : complete;
};

const CLOSING = new Set<Damage | undefined>([
  'cut in the head',
  'cut in the body',
  'closed after',
  'no length',
]);

/** Each response with a wrong date has another: after a second one of the same clock, the SDK retries every error. */
const withDate = (step: PlannedStep, hours: number): PlannedStep => {
  const { date } = step.headers ?? {};
  if (date !== 'ahead' && date !== 'behind') return step;
  const distanceMs = hours * 3_600_000 * (date === 'ahead' ? 1 : -1);
  return { ...step, headers: { ...step.headers, date: new Date(Date.now() + distanceMs).toUTCString() } };
};

/**
 * The steps of a plan for the tap.
 *
 * @param callIndex the index of the call in its sequence
 */
export const stepsFor =
  ({ steps }: Plan, callIndex: number) =>
  (abort: () => void): readonly Step[] =>
    steps.map((planned, stepIndex): Step => {
      const step = withDate(planned, callIndex * 2 + stepIndex + 1);
      if (step.kind === 'abort') {
        const head = step.damage === 'none' ? '' : 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"I';
        return { kind: 'abort', bytes: Buffer.from(head), abort };
      }
      if (step.kind !== 'respond') return { kind: step.kind };
      const isGarbage = step.status === undefined;
      return { kind: 'respond', bytes: bytesOf(step), thenCloses: isGarbage || CLOSING.has(step.damage) };
    });
