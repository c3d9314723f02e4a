import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { FUNCTION_TIMEOUT_MS, HTTP_FUNCTIONS, type HttpFunctionName } from '../../../functions/operations.ts';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { createLambdaContext } from '../../../infra/local/gateway/lambda-context.ts';
import type { TestService } from '../../support/service.ts';

const HOST = '127.0.0.1';

export interface Invoked {
  readonly functionName: HttpFunctionName;
  readonly functionArn: string;
  readonly event: APIGatewayProxyEvent;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** A response of Lambda's REST API to an invocation. */
export interface LambdaResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Changes the response of a version. `undefined` never responds. */
export type Change = (
  invoked: Invoked,
  result: APIGatewayProxyResult,
) => LambdaResponse | Promise<LambdaResponse> | undefined;

const unchanged: Change = (_, result) => ({ body: result });

const arnOf = (name: HttpFunctionName): string =>
  `arn:aws:lambda:eu-west-1:123456789012:function:CartCheckout-prod-${name}-AbC_d:7`;

/** The versions of all API functions, by name. */
export const VERSIONS: ReadonlyMap<string, string> = new Map(
  HTTP_FUNCTIONS.map(({ name }) => [name, arnOf(name)]),
);

/** Starts a stand-in for Lambda and CodeDeploy. Lambda runs the functions of a service in this process. */
export const startLambda = async (service: TestService) => {
  const invocations: Invoked[] = [];
  const reports: unknown[] = [];
  let change = unchanged;
  let reportFailures = 0;

  const invoke = async (functionArn: string, headers: Invoked['headers'], event: APIGatewayProxyEvent) => {
    const functionName = HTTP_FUNCTIONS.map(({ name }) => name).find((name) => arnOf(name) === functionArn);
    if (!functionName) return { status: 404, body: { Message: `Function not found: ${functionArn}` } };
    // A copy: the middlewares of a function change its event.
    const invoked = { functionName, functionArn, event: structuredClone(event), headers };
    invocations.push(invoked);
    const { now } = service.clock;
    const context = createLambdaContext({
      functionName,
      awsRequestId: 'i1',
      timeoutMs: FUNCTION_TIMEOUT_MS,
      now,
    });
    return change(invoked, await service.handlerOf(functionName)(event, context));
  };

  const server = createServer((request, response) => {
    void (async () => {
      const body = await json(request);
      if (request.headers['x-amz-target'] === 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus') {
        reportFailures -= 1;
        if (reportFailures >= 0) {
          response.writeHead(400, { 'x-amzn-requestid': 'r1' });
          return response.end('{"__type":"InvalidDeploymentIdException"}');
        }
        reports.push(body);
        return response.end('{}');
      }
      const [, path] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.url ?? '') ?? [];
      const result = await invoke(
        decodeURIComponent(path ?? ''),
        request.headers,
        body as APIGatewayProxyEvent,
      );
      if (!result) return undefined;
      response.writeHead(result.status ?? 200, result.headers);
      return response.end(JSON.stringify(result.body));
    })();
  });
  const port = await listen(server, HOST, 0);
  return {
    endpoint: `http://${HOST}:${port}`,
    invocations,
    reports,
    /** Forgets everything before a test. */
    reset(): void {
      invocations.length = 0;
      reports.length = 0;
      change = unchanged;
      reportFailures = 0;
    },
    changeResponses: (changed: Change): void => void (change = changed),
    rejectReports: (count: number): void => void (reportFailures = count),
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export type LambdaStandIn = Awaited<ReturnType<typeof startLambda>>;
