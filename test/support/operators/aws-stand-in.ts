import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { AwsActionError, createAwsActions } from '../../../infra/local/aws/aws-actions.ts';
import type { BusEntry as PutEntry } from '../../../infra/local/aws/event-bus.ts';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { createCloudFormation } from './cloudformation-stand-in.ts';
import { createLogGroups } from './logs-stand-in.ts';
import { createQueues } from './sqs-stand-in.ts';

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
