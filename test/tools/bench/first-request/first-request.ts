import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationName } from '../../../../functions/operations.ts';
import { BASELINES, DOLLARS_MAX } from '../../../../infra/bounds/bounds.ts';
import type { LoadOperation } from '../../../../infra/cost/aws-use.ts';
import { costsOf, totalOf } from '../../../../infra/cost/costs-per-million.ts';
import { eventOf } from '../../../support/functions/invoke.ts';
import { atMost, type Effort, goal, measureInTurn, median, type Report, type Verdict } from '../../report.ts';
import { checkBaseline } from '../support/baseline.ts';
import { type BundlePair, bundlePairs } from '../support/bundles.ts';
import { functionEnvironment, makeTemporaryFolder } from '../support/environment.ts';
import { BENCH_OPERATIONS, benchRequest } from '../support/operations.ts';
import { startWorker } from '../support/worker.ts';
import { CPU_SHARE, createCpuLimit } from './cpu-limit.ts';
import type { Stub } from './stub.ts';

/** A request of an environment counts as warm once it has served so many. */
const COLD_REQUESTS = 300;

/** The time of a step, and the CPU time that it took on all threads. */
export interface Duration {
  readonly ms: number;
  readonly cpuMs: number;
}

/** The work of one process of `sample.js`. */
export interface SampleInput {
  readonly file: string;
  /** The gateway's event, as JSON. */
  readonly event: string;
  readonly requests: number;
  /** Whether init calls the function's `warmUp`. A deployed function warms itself up. */
  readonly isWarmedUp: boolean;
  /** The file of the control group to enter after init. */
  readonly cpuLimit?: string;
}

interface Sample {
  readonly init: Duration;
  readonly responses: readonly Duration[];
}

interface Side {
  readonly operation: OperationName;
  readonly name: 'deployed' | 'bare' | 'bare, warm';
  readonly file: string;
}

const SAMPLE_FILE = join(import.meta.dirname, 'sample.js');

const sidesOf = ({ operation, deployed, bare }: BundlePair): Side[] => [
  { operation, name: 'deployed', file: deployed },
  { operation, name: 'bare', file: bare },
  { operation, name: 'bare, warm', file: bare },
];

/** The environment that Lambda gives to a function, with DynamoDB on this machine. */
const lambdaEnvironment = ({ endpoint, certificate }: Stub): Record<string, string> => {
  const certificateFile = join(makeTemporaryFolder(), 'certificate.pem');
  writeFileSync(certificateFile, certificate);
  return {
    ...functionEnvironment(endpoint),
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    // As long as Lambda's.
    AWS_SESSION_TOKEN: 's'.repeat(900),
    NODE_EXTRA_CA_CERTS: certificateFile,
  };
};

const sampler = (stub: Stub, cpuLimit: string | undefined) => {
  const env = lambdaEnvironment(stub);
  const { apiKey, cartId } = stub;
  return ({ operation, name, file }: Side, requests: number): Sample => {
    const event = JSON.stringify(eventOf(operation, benchRequest(operation, apiKey, cartId), Date.now));
    const isWarmedUp = name === 'bare, warm';
    const limit = cpuLimit !== undefined && { cpuLimit };
    const input: SampleInput = { file, event, requests, isWarmedUp, ...limit };
    const options = { env, input: JSON.stringify(input), encoding: 'utf8' } as const;
    const output = execFileSync(process.execPath, [SAMPLE_FILE], options);
    return JSON.parse(output.slice(output.lastIndexOf('\n'))) as Sample;
  };
};

/** The figures of one environment, in milliseconds. */
const figuresOf = ({ init, responses }: Sample, isLimited: boolean) => {
  const [first, second] = responses as [Duration, Duration];
  const limited = ({ ms, cpuMs }: Duration): number => (isLimited ? ms : cpuMs / CPU_SHARE);
  return {
    init: init.ms,
    initCpu: init.cpuMs,
    first: limited(first),
    firstCpu: first.cpuMs,
    second: limited(second),
    sum: init.ms + limited(first),
  };
};

type Figures = ReturnType<typeof figuresOf>;

/** One operation's figures on both sides, and the milliseconds of a warm request. */
interface Result {
  readonly operation: OperationName;
  readonly deployed: readonly Figures[];
  readonly bare: readonly Figures[];
  readonly 'bare, warm': readonly Figures[];
  readonly warm: Readonly<Record<Side['name'], Duration>>;
}

const medianOf = (all: readonly Figures[], figure: keyof Figures): number =>
  median(all.map((figures) => figures[figure]));

const ratioOf = ({ deployed, bare }: Result, figure: keyof Figures): number =>
  median(deployed.map((figures, round) => figures[figure] / bare[round]![figure]));

const toRows = (result: Result): string[][] =>
  (['deployed', 'bare', 'bare, warm'] as const).map((name) => {
    const all = result[name];
    const { ms, cpuMs } = result.warm[name];
    const times = (['init', 'initCpu', 'first', 'firstCpu', 'second', 'sum'] as const).map((figure) =>
      medianOf(all, figure).toFixed(1),
    );
    return [result.operation, name, ...times, ms.toFixed(2), cpuMs.toFixed(2)];
  });

/** A million requests, with the measured milliseconds of a warm one. */
const costVerdict = (operation: LoadOperation, durationMs: number): Verdict => {
  const dollars = totalOf(costsOf(operation, { durationMs }));
  const max = DOLLARS_MAX[operation];
  const bound = `${operation}: at most $${max.toFixed(2)} per million requests, at the warm milliseconds`;
  return goal(atMost(bound, dollars, max, `$${dollars.toFixed(2)}`));
};

const judge = (result: Result): Verdict[] => {
  const { operation, warm } = result;
  return [
    ...checkBaseline(BASELINES.firstRequest, operation, ratioOf(result, 'first')),
    ...checkBaseline(BASELINES.coldStart, operation, ratioOf(result, 'sum')),
    costVerdict(operation as LoadOperation, warm.deployed.ms),
  ];
};

/** Compares the first request of a new environment with that of a function that makes the same calls and does nothing else. */
export const benchFirstRequest = async ({ isQuick }: Effort): Promise<Report> => {
  const worker = await startWorker(join(import.meta.dirname, 'stub.ts'));
  const cpuLimit = createCpuLimit();
  const isLimited = cpuLimit !== undefined;
  const sample = sampler(await worker.ask<Stub>({}), cpuLimit);
  const sides = bundlePairs().flatMap(sidesOf);
  const rounds = isQuick ? 1 : 31;
  const samples = await measureInTurn(sides, rounds, (side) => figuresOf(sample(side, 2), isLimited));
  const warmOf = (side: Side): Duration => {
    const requests = isQuick ? 10 : 2 * COLD_REQUESTS;
    const responses = sample(side, requests).responses.slice(requests / 2);
    const cpuMs = median(responses.map((response) => response.cpuMs));
    // Without the limit, only the part that computes takes longer. The waits for DynamoDB stay.
    const stretchMs = isLimited ? 0 : cpuMs / CPU_SHARE - cpuMs;
    return { cpuMs, ms: median(responses.map(({ ms }) => ms)) + stretchMs };
  };
  const results = BENCH_OPERATIONS.map((operation): Result => {
    const [deployed, bare, warm] = sides.filter((side) => side.operation === operation) as [Side, Side, Side];
    return {
      operation,
      deployed: samples.get(deployed)!,
      bare: samples.get(bare)!,
      'bare, warm': samples.get(warm)!,
      warm: { deployed: warmOf(deployed), bare: warmOf(bare), 'bare, warm': warmOf(warm) },
    };
  });
  await worker.stop();
  return {
    title: `First request of an environment, with ${CPU_SHARE} of a processor ${isLimited ? 'by a control group' : '(CPU time divided by it)'}`,
    method:
      `Medians of ${rounds} alternating processes each, in milliseconds. Init has the whole machine, as in Lambda.\n` +
      'DynamoDB is a stub of 2 ms behind TLS. The bare function makes the same calls through the unmodified SDK.\n' +
      'The warm one makes one call in init.\n' +
      `Warm: the median after ${COLD_REQUESTS} requests.`,
    columns: [
      'operation',
      'function',
      'init',
      'init CPU',
      'first',
      'first CPU',
      'second',
      'init + first',
      'warm',
      'warm CPU',
    ],
    rows: results.flatMap(toRows),
    verdicts: results.flatMap(judge),
  };
};
