import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { AwsActionError, createAwsActions } from '../../../infra/local/aws/aws-actions.ts';
import type { BusEntry as PutEntry } from '../../../infra/local/aws/event-bus.ts';
import type { CalledQueue } from '../../../infra/local/aws/queue.ts';
import { listen } from '../../../infra/local/gateway/listen.ts';

const HOST = '127.0.0.1';

/** An entry of PutEvents. */
export type BusEntry = Required<PutEntry> & { readonly EventBusName: string };

type Call = Readonly<Record<string, unknown>>;

/** The operator of the tests. With AWS SSO, the session's name is often an e-mail address. */
export const CALLER = 'arn:aws:sts::123456789012:assumed-role/Operator/otto@operators.example';

/** The response of STS to GetCallerIdentity. */
export const callerIdentityXml = (): string =>
  '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>' +
  `<Arn>${CALLER}</Arn><UserId>AROA:ada</UserId><Account>123456789012</Account>` +
  '</GetCallerIdentityResult></GetCallerIdentityResponse>';

interface QueuedMessage {
  readonly id: string;
  readonly body: string;
  /** Set while a receiver has the message. */
  receiptHandle?: string | undefined;
}

/** A queue in memory. A message stays invisible until its receiver releases it: no time passes, except by `endHolds`. */
const createQueue = () => {
  let messages: QueuedMessage[] = [];
  let isSlow = false;
  const isHeld = ({ receiptHandle }: QueuedMessage): boolean => receiptHandle !== undefined;
  const receive = (message: QueuedMessage) => {
    const receiptHandle = randomUUID();
    message.receiptHandle = receiptHandle;
    const { id, body } = message;
    const stored = { id, body, sentAtMs: 1_768_480_200_000, visibleAtMs: 0 };
    return { message: stored, receiptHandle, receiveCount: 1, firstReceivedAtMs: 0 };
  };
  const calls: CalledQueue = {
    send: async (sent) => {
      const added = sent.map(({ body }) => ({ id: randomUUID(), body }));
      messages.push(...added);
      return added.map(({ id }) => id);
    },
    receive: (max) =>
      messages
        .filter((message) => isSlow || !isHeld(message))
        .slice(0, max)
        .map(receive),
    changeVisibility: (handle) => {
      for (const message of messages) {
        if (message.receiptHandle === handle) message.receiptHandle = undefined;
      }
    },
    delete: async (handles) => {
      messages = messages.filter(({ receiptHandle = '' }) => !handles.includes(receiptHandle));
    },
    counts: () => {
      const inFlight = messages.filter(isHeld).length;
      return { visible: messages.length - inFlight, inFlight };
    },
  };
  return {
    calls,
    bodies: () => messages.map(({ body }) => body),
    isHeld: () => messages.some(isHeld),
    endHolds: () => {
      isSlow = true;
    },
  };
};

/** The queues of SQS, by their addresses. Each exists once something names it. */
const createQueues = () => {
  const queues = new Map<string, ReturnType<typeof createQueue>>();
  const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
  const named = (name: string) => {
    const queue = queues.get(name) ?? createQueue();
    queues.set(name, queue);
    return queue;
  };
  const queueOf = (url: string) => named(nameOf(url));
  return {
    /** The queues by name, for the calls. */
    calls: new Proxy<Record<string, CalledQueue>>({}, { get: (_, name) => named(String(name)).calls }),
    put: (url: string, body: string): void => void queueOf(url).calls.send([{ body, delaySeconds: 0 }]),
    /** The bodies of a queue's messages, in the order in which they were sent. */
    bodies: (url: string): readonly string[] => queueOf(url).bodies(),
    /** Whether a receiver still holds messages of a queue. */
    isHeld: (url: string): boolean => queueOf(url).isHeld(),
    /** From now on, the messages of a queue become visible again before their receiver has released them. */
    endHolds: (url: string): void => queueOf(url).endHolds(),
    clear: (url: string): void => void queues.delete(nameOf(url)),
  };
};

/** A line of CloudWatch Logs. */
interface LogEvent {
  readonly timestamp: number;
  readonly message: string;
}

/** The most events on a page of FilterLogEvents, so that a list has several pages. */
const PAGE_SIZE = 3;

/** CloudWatch Logs in memory. It has one log group, whatever its name is. */
const createLogGroups = () => {
  const events: LogEvent[] = [];
  let respond: (action: string) => object | undefined = () => undefined;
  const put = ({ logEvents }: Call): object => {
    events.push(...(logEvents as readonly LogEvent[]));
    return {};
  };
  /** Like AWS, it may respond with an empty page although others follow. */
  const filter = ({ startTime = 0, nextToken }: Call): object => {
    if (nextToken === undefined) return { events: [], nextToken: '0' };
    const fitting = events.filter(({ timestamp }) => timestamp >= Number(startTime));
    const end = Number(nextToken) + PAGE_SIZE;
    return {
      events: fitting.slice(Number(nextToken), end),
      ...(end < fitting.length && { nextToken: String(end) }),
    };
  };
  return {
    /** All lines, in the order in which they were put. */
    events,
    /** Replaces the responses to later calls, unless it returns `undefined`. One with a `__type` is an error. */
    onCall: (next: typeof respond): void => {
      respond = next;
    },
    handle: (action: string, call: Call): object | undefined => {
      const response = respond(action);
      if (response) return response;
      if (action === 'PutLogEvents') return put(call);
      return action === 'FilterLogEvents' ? filter(call) : undefined;
    },
  };
};

/** A stack as CloudFormation describes it. */
interface Stack {
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** The error with which CloudFormation rejects a call. */
interface Rejection {
  readonly httpStatus: number;
  readonly code: string;
  readonly message: string;
}

const NAMESPACE = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';

const DENIED: Rejection = { httpStatus: 403, code: 'AccessDenied', message: 'Not allowed' };

const noStack = (name: string): Rejection => ({
  httpStatus: 400,
  code: 'ValidationError',
  message: `Stack with id ${name} does not exist`,
});

const stackXml = ([name, { status, outputs }]: readonly [string, Stack]): string => {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return (
    `<member><StackName>${name}</StackName><CreationTime>2026-01-15T12:30:00Z</CreationTime>` +
    `<StackId>arn:aws:cloudformation:eu-west-1:123456789012:stack/${name}/1</StackId>` +
    `<StackStatus>${status}</StackStatus><Outputs>${members.join('')}</Outputs></member>`
  );
};

/** CloudFormation's DescribeStacks of the given stacks. */
const createCloudFormation = () => {
  const stacks = new Map<string, Stack>();
  let rejection: Rejection | undefined;
  let deniesList = false;
  let dateMs: number | undefined;
  return {
    stacks,
    /** Rejects every call from now on. */
    reject: (next: Rejection | undefined): void => {
      rejection = next;
    },
    /** Rejects the calls that name no stack from now on. */
    denyList: (): void => {
      deniesList = true;
    },
    /** Sends this time with each response. By default, no response has a time. */
    setDate: (timeMs: number): void => {
      dateMs = timeMs;
    },
    respond: (name: string | null, response: ServerResponse): void => {
      const named = [...stacks].filter(([each]) => each === (name ?? each));
      response.sendDate = false;
      if (dateMs !== undefined) response.setHeader('Date', new Date(dateMs).toUTCString());
      const isFound = name === null ? !deniesList : named.length > 0;
      const error = rejection ?? (isFound ? undefined : name === null ? DENIED : noStack(name));
      response.statusCode = error?.httpStatus ?? 200;
      response.end(
        error
          ? `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${error.code}</Code><Message>${error.message}</Message></Error></ErrorResponse>`
          : `<DescribeStacksResponse xmlns="${NAMESPACE}"><DescribeStacksResult><Stacks>${named.map(stackXml).join('')}</Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      );
    },
  };
};

/** Starts a stand-in for SQS, EventBridge, CloudWatch Logs, STS and CloudFormation, in their own protocols. */
export const startAws = async () => {
  const queues = createQueues();
  const logs = createLogGroups();
  const cloudFormation = createCloudFormation();
  const entries: BusEntry[] = [];
  let onEvent: (entry: BusEntry) => Promise<string | undefined> = async () => undefined;
  const act = createAwsActions(queues.calls, async (added) => {
    const results: object[] = [];
    for (const entry of added as readonly BusEntry[]) {
      entries.push(entry);
      const ErrorCode = await onEvent(entry);
      results.push(ErrorCode === undefined ? { EventId: randomUUID() } : { ErrorCode });
    }
    return results;
  });
  const resultOf = async (target: string, call: Call): Promise<object | undefined> => {
    const [service, action = ''] = target.split('.');
    if (service === 'Logs_20140328') return logs.handle(action, call);
    try {
      return await act(target, call);
    } catch (error) {
      if (error instanceof AwsActionError) return { __type: error.name, message: error.message };
      throw error;
    }
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    const target = request.headers['x-amz-target'];
    // STS and CloudFormation speak the query protocol.
    if (target === undefined) {
      response.setHeader('Content-Type', 'text/xml');
      const call = new URLSearchParams(body);
      if (call.get('Action') === 'GetCallerIdentity') response.end(callerIdentityXml());
      else cloudFormation.respond(call.get('StackName'), response);
      return;
    }
    const result = (await resultOf(String(target), JSON.parse(body) as Call)) ?? {
      __type: 'UnknownOperationException',
    };
    response.setHeader('Content-Type', 'application/x-amz-json-1.0');
    response.statusCode = '__type' in result ? 400 : 200;
    response.end(JSON.stringify(result));
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listen(server, HOST, 0);
  return {
    endpoint: `http://${HOST}:${port}`,
    queues,
    logs,
    cloudFormation,
    /** Everything that was put on a bus. */
    entries,
    /** Handles the next entries. It returns the code of the error with which EventBridge rejects one. */
    onEvent: (handle: typeof onEvent): void => {
      onEvent = handle;
    },
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
