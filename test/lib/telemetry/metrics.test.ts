import { afterEach, describe, expect, it, vi } from 'vitest';
import { logger } from '../../../lib/telemetry/logger.ts';
import { embeddedMetrics, recordCartMetric, recordStageMetric } from '../../../lib/telemetry/metrics.ts';
import { linesOf, NOW_MS } from './log-lines.ts';

afterEach(() => vi.useRealTimers());

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
