import { afterEach, describe, expect, it, vi } from 'vitest';
import { logger } from '../../../lib/telemetry/logger.ts';
import { embeddedMetrics } from '../../../lib/telemetry/metrics.ts';
import { linesOf, NOW_MS } from './log-lines.ts';

// The next file of this worker loads its modules before its first test, so `unstubEnvs` would be too late.
afterEach(() => vi.useRealTimers().unstubAllEnvs());

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
