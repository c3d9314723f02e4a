import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  recordStageMetric,
  recordCartMetric,
  embeddedMetrics,
  logger,
} from '../../../lib/telemetry/telemetry.ts';

const NOW_MS = 1_790_000_000_123;

/** The lines of JSON that a call writes to standard output. */
const linesOf = (call: () => void): unknown[] => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  call();
  return write.mock.calls.map(([chunk]) => {
    expect(chunk).toMatch(/^[^\n]+\n$/);
    return JSON.parse(String(chunk)) as unknown;
  });
};

// The next file of this worker loads its modules before its first test, so `unstubEnvs` would be too late.
afterEach(() => vi.useRealTimers().unstubAllEnvs());

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
const embedded = (dimensions: string[], ...names: string[]) => ({
  Timestamp: NOW_MS,
  CloudWatchMetrics: [
    { Namespace: 'CartCheckout', Dimensions: [dimensions], Metrics: names.map((Name) => ({ Name })) },
  ],
});

describe('a metric is one line from which CloudWatch extracts a count', () => {
  it('of payment events that cannot be recorded, with the stage as its only dimension', () => {
    expect(linesOf(() => recordStageMetric('AmountMismatches'))).toStrictEqual([
      { _aws: embedded(['stage'], 'AmountMismatches'), stage: 'test', AmountMismatches: 1 },
    ]);
  });

  it('of payments, with the stage and the mode as its dimensions', () => {
    expect(linesOf(() => recordCartMetric('live', 'CartsCompleted'))).toStrictEqual([
      { _aws: embedded(['stage', 'mode'], 'CartsCompleted'), stage: 'test', mode: 'live', CartsCompleted: 1 },
    ]);
  });

  it('or several counts of one request, with every dimension', () => {
    const dimensions = { operation: 'getCart', mode: 'test' };
    const metrics = () => embeddedMetrics(dimensions, { ClientErrors: 0, ServerErrors: 1 });
    expect(linesOf(() => logger.request({ status: 500, ...metrics() }))).toStrictEqual([
      {
        status: 500,
        _aws: embedded(['stage', 'operation', 'mode'], 'ClientErrors', 'ServerErrors'),
        stage: 'test',
        operation: 'getCart',
        mode: 'test',
        ClientErrors: 0,
        ServerErrors: 1,
      },
    ]);
  });
});

describe('a log entry', () => {
  it.each([
    ['information, which needs no level', logger.info, {}],
    ['a warning', logger.warn, { level: 'WARN' }],
    ['an error', logger.error, { level: 'ERROR' }],
  ])('is one line with its time: %s', (_, log, level) => {
    const timestamp = new Date(NOW_MS).toISOString();
    const fields = { status: 200, text: 'two\nlines' };
    expect(linesOf(() => log('payment', { ...fields, code: undefined }))).toStrictEqual([
      { ...level, message: 'payment', timestamp, ...fields },
    ]);
  });

  it('has one timestamp: with metrics, only that of the metrics', () => {
    const fields = embeddedMetrics({ mode: 'live' }, { EndpointsDisabled: 1 });
    expect(linesOf(() => logger.warn('endpoint disabled', fields))).toStrictEqual([
      { level: 'WARN', message: 'endpoint disabled', ...fields },
    ]);
  });

  it('of a request without metrics is one line with its time', () => {
    const timestamp = new Date(NOW_MS).toISOString();
    expect(linesOf(() => logger.request({ status: 200 }))).toStrictEqual([{ timestamp, status: 200 }]);
  });

  it("has the id of the current request's trace, if X-Ray keeps the trace", () => {
    const root = '1-5759e988-bd862e3fe1be46a994272793';
    const logWhen = (header: string) => {
      vi.stubEnv('_X_AMZN_TRACE_ID', header);
      return linesOf(() => logger.request({ status: 200 })).at(-1);
    };
    expect(logWhen(`Root=${root};Parent=557abcec3ee5a047;Sampled=1`)).toHaveProperty('xray_trace_id', root);
    expect(logWhen(`Root=${root};Parent=557abcec3ee5a047;Sampled=0`)).not.toHaveProperty('xray_trace_id');
  });
});
