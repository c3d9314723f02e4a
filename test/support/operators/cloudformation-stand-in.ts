import type { ServerResponse } from 'node:http';

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
export const createCloudFormation = () => {
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
