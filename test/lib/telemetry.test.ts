import { afterEach, describe, expect, it, vi } from 'vitest';
import { count, logger } from '../../lib/telemetry.ts';

const NOW_MS = 1_790_000_000_123;

/** What a call writes to standard output: its lines, each of JSON. */
const linesOf = (call: () => void): unknown[] => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  call();
  return write.mock.calls.map(([chunk]) => {
    expect(chunk).toMatch(/^[^\n]+\n$/);
    return JSON.parse(String(chunk)) as unknown;
  });
};

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('a metric', () => {
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
  it('is one line from which CloudWatch extracts a count whose only dimension is the stage', () => {
    expect(linesOf(() => count('CartsCompleted'))).toStrictEqual([
      {
        _aws: {
          Timestamp: NOW_MS,
          CloudWatchMetrics: [
            {
              Namespace: 'CartCheckout',
              Dimensions: [['stage']],
              Metrics: [{ Name: 'CartsCompleted', Unit: 'Count' }],
            },
          ],
        },
        stage: 'test',
        CartsCompleted: 1,
      },
    ]);
  });
});

describe('a log entry', () => {
  it.each([
    ['INFO', logger.info],
    ['WARN', logger.warn],
    ['ERROR', logger.error],
  ])('is one line with its level, time and service: %s', (level, log) => {
    expect(
      linesOf(() => log('answered', { status: 200, text: 'two\nlines', code: undefined })),
    ).toStrictEqual([
      {
        level,
        message: 'answered',
        timestamp: new Date(NOW_MS).toISOString(),
        service: 'cart-checkout',
        status: 200,
        text: 'two\nlines',
      },
    ]);
  });

  it('names the trace of the request that is running', () => {
    const root = '1-5759e988-bd862e3fe1be46a994272793';
    vi.stubEnv('_X_AMZN_TRACE_ID', `Root=${root};Parent=557abcec3ee5a047;Sampled=1`);
    expect(linesOf(() => logger.info('answered', {}))).toMatchObject([{ xray_trace_id: root }]);
  });
});

it('a function without a stage name fails at cold start, by the name of the variable', async () => {
  vi.stubEnv('STAGE_NAME', undefined);
  vi.resetModules();
  await expect(import('../../lib/telemetry.ts')).rejects.toThrow(
    new Error('The environment is not usable: STAGE_NAME is missing.'),
  );
});
