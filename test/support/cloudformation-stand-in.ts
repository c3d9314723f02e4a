import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../infra/local/gateway/listen.ts';

/** A stack as CloudFormation describes it. */
export interface StandInStack {
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** The error with which CloudFormation rejects a call. */
export interface StandInRejection {
  readonly httpStatus: number;
  readonly code: string;
  readonly message: string;
}

/** A CloudFormation on this machine that knows the given stacks, or rejects every call. */
export interface CloudFormationStandIn {
  readonly endpoint: string;
  readonly stacks: Map<string, StandInStack>;
  /** Rejects every call from now on. */
  reject(rejection: StandInRejection | undefined): void;
  /** Rejects the calls that name no stack from now on. */
  denyList(): void;
  /** Sends this time with each response. By default, no response has a time. */
  setDate(timeMs: number): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const NAMESPACE = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';

const errorXml = ({ code, message }: StandInRejection): string =>
  `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

const stackXml = ([name, { status, outputs }]: readonly [string, StandInStack]): string => {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return (
    `<member><StackName>${name}</StackName><CreationTime>2026-01-15T12:30:00Z</CreationTime>` +
    `<StackId>arn:aws:cloudformation:eu-west-1:123456789012:stack/${name}/1</StackId>` +
    `<StackStatus>${status}</StackStatus><Outputs>${members.join('')}</Outputs></member>`
  );
};

const stacksXml = (stacks: readonly (readonly [string, StandInStack])[]): string =>
  `<DescribeStacksResponse xmlns="${NAMESPACE}"><DescribeStacksResult><Stacks>` +
  `${stacks.map(stackXml).join('')}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const noStack = (name: string): StandInRejection => ({
  httpStatus: 400,
  code: 'ValidationError',
  message: `Stack with id ${name} does not exist`,
});

const DENIED: StandInRejection = { httpStatus: 403, code: 'AccessDenied', message: 'Not allowed' };

/** Starts a stand-in for CloudFormation's DescribeStacks, in the service's own protocol (AWS query, XML). */
export const startCloudFormation = async (): Promise<CloudFormationStandIn> => {
  const stacks = new Map<string, StandInStack>();
  let rejection: StandInRejection | undefined;
  let deniesList = false;
  let dateMs: number | undefined;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const name = new URLSearchParams(body).get('StackName');
      const named = [...stacks].filter(([each]) => each === (name ?? each));
      response.setHeader('Content-Type', 'text/xml');
      response.sendDate = false;
      if (dateMs !== undefined) response.setHeader('Date', new Date(dateMs).toUTCString());
      const isFound = name === null ? !deniesList : named.length > 0;
      if (isFound && !rejection) return response.end(stacksXml(named));
      const error = rejection ?? (name === null ? DENIED : noStack(name));
      response.statusCode = error.httpStatus;
      return response.end(errorXml(error));
    });
  });
  const port = await listen(server, HOST, 0);
  return {
    endpoint: `http://${HOST}:${port}`,
    stacks,
    reject: (next) => {
      rejection = next;
    },
    denyList: () => {
      deniesList = true;
    },
    setDate: (timeMs) => {
      dateMs = timeMs;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
