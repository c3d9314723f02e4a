import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLeanDocumentClient } from '../../../lib/aws/document-client.ts';
import { createBusClient } from '../../../lib/events/bus.ts';
import { TrueClock } from '../../../lib/core/true-clock.ts';
import { UnthrottledRetries } from '../../../lib/unthrottled-retries.ts';
import { createQueueClient } from '../../../lib/webhooks/sqs-delivery-queue.ts';
import { compare } from '../../tools/differential/compare.ts';
import { INTENDED_DIFFERENCES } from '../../tools/differential/intended-differences.ts';
import { type AnyCommand, type Documents, observe } from '../../tools/differential/observe.ts';
import { signatureVerifier } from '../../tools/differential/signatures.ts';
import { responseBytes } from '../../tools/differential/wire-request.ts';
import { startWireTap, type Step } from '../../tools/differential/wire-tap.ts';

const REGION = 'eu-west-1';
const CREDENTIALS = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 's', sessionToken: 'a/token==' };

type Config = Readonly<{
  endpoint: string;
  region: string;
  credentials?: typeof CREDENTIALS | (() => Promise<typeof CREDENTIALS>);
}>;
type SdkClient = Pick<DynamoDBClient, 'config' | 'destroy'>;

/** How a service's two clients are created. */
interface Clients {
  readonly sdk: (config: Config) => { readonly client: SdkClient; readonly sender: unknown };
  readonly lean: (config: Config) => unknown;
}

/** Both clients, each before a stub of its own. */
const givenPair = async (clients: Clients, configOf: (endpoint: string) => Config) => {
  const nowhere = new URL('http://127.0.0.1:1');
  const [sdkTap, leanTap] = [await startWireTap(nowhere), await startWireTap(nowhere)] as const;
  const { client, sender } = clients.sdk(configOf(`http://127.0.0.1:${sdkTap.port}`));
  const lean = clients.lean(configOf(`http://127.0.0.1:${leanTap.port}`));
  const close = () => Promise.all([sdkTap.close(), leanTap.close()]);
  onTestFinished(() => client.destroy());
  const sides = {
    sdk: { documents: sender as Documents, tap: sdkTap, prefix: 'no-table' },
    lean: { documents: lean as Documents, tap: leanTap, prefix: 'no-table' },
  };
  const verify = signatureVerifier(client);
  /** The subjects on which the clients differ in a call, other than as intended, and the SDK's observation. */
  const differences = async (command: AnyCommand, steps: readonly Step[]) => {
    const scripted = { command, plan: () => steps };
    const [sdkSaw, leanSaw] = [await observe(sides.sdk, scripted), await observe(sides.lean, scripted)];
    const all = await compare(
      { side: sides.sdk, observation: sdkSaw },
      { side: sides.lean, observation: leanSaw },
      verify,
    );
    return { found: all.filter(({ subject }) => !(subject in INTENDED_DIFFERENCES)), seen: sdkSaw };
  };
  return { differences, close };
};

const bytesOf = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Uint8Array =>
  responseBytes(
    status,
    { 'x-amzn-requestid': 'ID', ...headers, 'content-length': String(Buffer.byteLength(body)) },
    Buffer.from(body),
  );

const respond = (...response: Parameters<typeof bytesOf>): Step => ({
  kind: 'respond',
  bytes: bytesOf(...response),
});

/** Returns a function that ends the last timer of this length at once. */
const givenTimeLimit = (limitMs: number): (() => void) => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  return () => timers.mock.calls.findLast(([, ms]) => ms === limitMs)?.[0]();
};

// Both clients wait equally long, and shortly, before a retry.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.001);
});

describe('the lean document client is equal to the SDK’s', () => {
  const retryStrategy = () => new UnthrottledRetries(2);
  const get = new GetCommand({ TableName: 't', Key: { id: 'x' } }) as unknown as AnyCommand;

  const TIME_LIMIT_MS = 5_000;
  const clientsWith = (clock?: TrueClock): Clients => ({
    sdk: (config) => {
      const requestHandler = { requestTimeout: TIME_LIMIT_MS, throwOnRequestTimeout: true };
      const client = new DynamoDBClient({ ...config, retryStrategy: retryStrategy(), requestHandler });
      return { client, sender: DynamoDBDocumentClient.from(client) };
    },
    lean: (config) =>
      createLeanDocumentClient(config, { timeoutMs: TIME_LIMIT_MS, retryStrategy: retryStrategy() }, clock),
  });
  const configOf = (endpoint: string) => ({ endpoint, region: REGION, credentials: CREDENTIALS });

  it('if nobody listens, except for the port', async () => {
    const { differences, close } = await givenPair(clientsWith(), configOf);
    await close();
    const { found, seen } = await differences(get, []);
    expect(seen.errorName).toBe('Error');
    expect(found.map(({ subject }) => subject)).toStrictEqual(['error.port']);
  });

  it('if the service does not respond within the time limit, except for the message', async () => {
    const { differences, close } = await givenPair(clientsWith(), configOf);
    // The limit ends once the service has the request, however slow the machine is.
    const endTimeLimit = givenTimeLimit(TIME_LIMIT_MS);
    const hang: Step = { kind: 'abort', bytes: new Uint8Array(), abort: endTimeLimit };
    const { found, seen } = await differences(get, [hang, hang]);
    expect([seen.errorName, seen.requests.length]).toStrictEqual(['TimeoutError', 2]);
    expect(found.map(({ subject }) => subject)).toStrictEqual(['error.message']);
    await close();
  });

  it.each(['[]', '["text",{}]', 'null', '7', '"ab"', '{"Item":{"n":{"N":"9.99E+125"}}}'])(
    'with the result %s',
    async (body) => {
      const { differences, close } = await givenPair(clientsWith(), configOf);
      const { found, seen } = await differences(get, [respond(500, ''), respond(200, body)]);
      expect(seen.requests).toHaveLength(2);
      expect(found).toStrictEqual([]);
      await close();
    },
  );

  it('if the fields are not in the order of the schema, except for that order', async () => {
    const { differences, close } = await givenPair(clientsWith(), configOf);
    const reordered = new GetCommand({ Key: { id: 'x' }, TableName: 't' }) as unknown as AnyCommand;
    const { found } = await differences(reordered, [respond(200, '{}')]);
    expect(found.map(({ subject }) => subject)).toStrictEqual(['body: order of keys']);
    await close();
  });

  it('if the connection is reset during a response', async () => {
    const { differences, close } = await givenPair(clientsWith(), configOf);
    const step: Step = { kind: 'respond and reset', bytes: bytesOf(200, '{}').subarray(0, 20) };
    const { found, seen } = await differences(get, [step, step]);
    expect([seen.errorName, seen.requests.length]).toStrictEqual(['TimeoutError', 2]);
    expect(found).toStrictEqual([]);
    await close();
  });

  it.each<[string, Config['credentials'] | undefined]>([
    ['a function', () => Promise.resolve(CREDENTIALS)],
    ['the environment', undefined],
  ])('with credentials of %s', async (_, credentials) => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', CREDENTIALS.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', CREDENTIALS.secretAccessKey);
    vi.stubEnv('AWS_SESSION_TOKEN', CREDENTIALS.sessionToken);
    const { differences, close } = await givenPair(clientsWith(), (endpoint) => ({
      endpoint,
      region: REGION,
      ...(credentials && { credentials }),
    }));
    const { found, seen } = await differences(get, [respond(200, '{"Item":{"id":{"S":"x"}}}')]);
    expect(seen.requests[0]?.headers['x-amz-security-token']).toBe(CREDENTIALS.sessionToken);
    expect(found).toStrictEqual([]);
    await close();
  });

  it('with a clock that the responses correct', async () => {
    const clock = new TrueClock({ machineNow: () => 0, monotonicNow: () => 0 });
    const { differences, close } = await givenPair(clientsWith(clock), configOf);
    const nowMs = Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000;
    const date = new Date(nowMs).toUTCString();
    const skewed = '{"__type":"InvalidSignatureException"}';
    const { found } = await differences(get, [respond(400, skewed, { date }), respond(200, '{}', { date })]);
    expect(found).toStrictEqual([]);
    expect(clock.now()).toBe(nowMs);
    await close();
  });
});

describe('the lean client of another service is equal to the SDK’s', () => {
  const QueueUrl = 'https://sqs.eu-west-1.amazonaws.com/1/q';
  const SQS: Clients = {
    sdk: (config) => {
      const client = new SQSClient({
        ...config,
        retryStrategy: new StandardRetryStrategy(2),
        useQueueUrlAsEndpoint: false,
      });
      return { client: client as never, sender: client };
    },
    lean: createQueueClient,
  };
  const EVENT_BRIDGE: Clients = {
    sdk: (config) => {
      const client = new EventBridgeClient({ ...config, retryStrategy: new StandardRetryStrategy(2) });
      return { client: client as never, sender: client };
    },
    lean: createBusClient,
  };

  const sent = { Id: '0', MessageId: 'm', MD5OfMessageBody: '0cc175b9c0f1b6a831c399e269772661' };
  const failed = { Id: '1', SenderFault: false, Code: 'InternalError', Message: 'later' };
  const entry = { Source: 's', DetailType: 'ü', Detail: '{"a":"\u2028😀"}', EventBusName: 'b' };

  const COMMANDS: readonly (readonly [string, Clients, object, readonly object[]])[] = [
    [
      'SendMessage',
      SQS,
      new SendMessageCommand({ QueueUrl, MessageBody: 'a', DelaySeconds: 3 }),
      [{ MD5OfMessageBody: sent.MD5OfMessageBody, MessageId: 'm' }],
    ],
    [
      'SendMessageBatch',
      SQS,
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: [
          { Id: '0', MessageBody: 'a' },
          { Id: '1', MessageBody: 'é' },
        ],
      }),
      [{ Successful: [sent] }, { Successful: [sent], Failed: [failed] }],
    ],
    [
      'ChangeMessageVisibilityBatch',
      SQS,
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl,
        Entries: [{ Id: '0', ReceiptHandle: 'r/+', VisibilityTimeout: 7 }],
      }),
      [{ Successful: [{ Id: '0' }] }, { Failed: [failed] }],
    ],
    [
      'PutEvents',
      EVENT_BRIDGE,
      new PutEventsCommand({ Entries: [entry] }),
      [
        { FailedEntryCount: 0, Entries: [{ EventId: 'e' }] },
        { FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'slow' }] },
      ],
    ],
  ];

  /** Fields that the SDK adds to an error of SQS for callers of its earlier protocol. */
  const EARLIER_FIELDS = new Set(['error.Error', 'error.RequestId', 'error.Type', 'error.Code']);

  const ERRORS: readonly (readonly [
    status: number,
    body: object | string,
    headers?: Record<string, string>,
  ])[] = [
    [400, { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'why' }],
    [
      400,
      { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'why' },
      { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' },
    ],
    [400, { __type: 'com.amazonaws.sqs#BatchRequestTooLong', message: 'long' }],
    [400, { __type: 'InvalidParameterValue', Message: 'other' }],
    [403, { __type: 'AccessDeniedException', Message: 'no' }],
    [400, { __type: 'ResourceNotFoundException', message: 'no bus' }],
    [400, { __type: 'InternalException', message: 'internal' }],
    [400, { __type: 'ThrottlingException', message: 'slow' }],
    [400, { __type: 'com.amazonaws.sqs#RequestThrottled', message: 'slow' }],
    [429, ''],
    [500, { __type: 'InternalFailure' }],
    [502, '<html>'],
    [503, { __type: 'ServiceUnavailable' }],
    [503, ''],
  ];

  it.each(COMMANDS)('in %s', async (_, clients, command, results) => {
    const { differences, close } = await givenPair(clients, (endpoint) => ({
      endpoint,
      region: REGION,
      credentials: CREDENTIALS,
    }));
    const good = respond(200, JSON.stringify(results[0]));
    const scripts: Step[][] = [
      ...results.map((result) => [respond(200, JSON.stringify(result))]),
      ...ERRORS.map(([status, body, headers]) => {
        const bad = respond(status, typeof body === 'string' ? body : JSON.stringify(body), headers);
        return [bad, bad];
      }),
      [respond(503, ''), good],
      [{ kind: 'reset' }, good],
      [{ kind: 'close' }, { kind: 'close' }],
    ];
    for (const script of scripts) {
      const { found } = await differences(command as AnyCommand, script);
      expect(found.filter(({ subject }) => !EARLIER_FIELDS.has(subject))).toStrictEqual([]);
    }
    await close();
  });
});
