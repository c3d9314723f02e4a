import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { RECORDER_ACCESS } from '../../../functions/access.ts';
import { type FunctionName, FUNCTIONS } from '../../../functions/function-needs.ts';
import {
  queueConcurrency,
  RESERVED_CONCURRENCY,
  splitConcurrency,
} from '../../../infra/stage/concurrency.ts';
import { limitsOf } from '../../../infra/stage/function-limits.ts';
import { withoutHash } from '../../../infra/stage/stack-template.ts';
import { pascalCase } from '../../../lib/core/letter-case.ts';
import { branchStage, fullStage, productionStage, target } from '../../support/stack/template.ts';

const branch = branchStage().template;
const full = fullStage().template;
const production = productionStage().template;

const NAMES = Object.keys(FUNCTIONS) as FunctionName[];

describe('the concurrency of a function', () => {
  const reservedIn = (template: Template): Record<string, number | undefined> =>
    Object.fromEntries(
      Object.entries(template.findResources('AWS::Lambda::Function')).map(([id, resource]) => [
        withoutHash(id),
        (resource as { Properties: { ReservedConcurrentExecutions?: number } }).Properties
          .ReservedConcurrentExecutions,
      ]),
    );

  const sumOf = (reserved: Readonly<Record<string, number | undefined>>): number =>
    Object.values(reserved).reduce<number>((sum, each = 0) => sum + each, 0);

  it('is reserved in production, and leaves the account the 100 executions that AWS demands', () => {
    const reserved = reservedIn(production);
    expect(reserved).toStrictEqual(
      Object.fromEntries(NAMES.map((name) => [pascalCase(name), limitsOf(name).concurrency])),
    );
    expect(sumOf(reserved)).toBeLessThanOrEqual(1_000 - 100);
    expect(new Set(Object.values(reservedIn(branch)))).toStrictEqual(new Set([undefined]));
  });

  it('is split in an account with fewer: the API functions and the deliveries share what the others leave', () => {
    const reserved = reservedIn(full);
    expect(reserved).toStrictEqual(
      Object.fromEntries(
        Object.entries(splitConcurrency(400)).flatMap(([name, each]) =>
          // The stage has no sandbox.
          name === 'sandbox-checkout' ? [] : [[pascalCase(name), each]],
        ),
      ),
    );
    const kept = ['ExpireCart', 'WebhookEndpoints', 'RecordPayment', 'Canary', 'FanOutEvents', 'RunTimers'];
    const limits = reservedIn(production);
    const keptSum = kept.reduce((sum, id) => sum + (limits[id] ?? 0), 0);
    const share = (400 - keptSum) / (sumOf(limits) - keptSum);
    for (const id of kept) expect(reserved[id], id).toBe(limits[id]);
    for (const id of ['CreateCartCheckout', 'GetCart', 'ListEvents']) {
      expect(reserved[id], id).toBe(Math.floor((limits[id] ?? 0) * share));
    }
  });

  it('does not grow with the total for a writer of live logs, other than the deliveries', () => {
    // The sandbox writes test events, which never delay live payments.
    const writers = NAMES.filter((name) =>
      FUNCTIONS[name].access.some((each) => each !== 'appendTestEvents' && RECORDER_ACCESS.includes(each)),
    );
    const { byDefault } = RESERVED_CONCURRENCY;
    const grown = writers.filter(
      (name) => splitConcurrency(2 * byDefault)[name] > limitsOf(name).concurrency,
    );
    expect(grown).toStrictEqual(['deliver-webhooks']);
  });

  it('is at least two for each function, and never more than the account gives', () => {
    const { min, byDefault, max } = RESERVED_CONCURRENCY;
    const totals = Array.from({ length: 9_000 - min }, (_, index) => min + index);
    for (const total of [...totals, max]) {
      const reserved = splitConcurrency(total);
      const { payments, ...deliveries } = queueConcurrency(total);
      const queues = Object.values(deliveries);
      const numbers = [...Object.values(reserved), ...queues];
      expect({ total, least: Math.min(...numbers) >= 2 }).toStrictEqual({ total, least: true });
      expect(sumOf(reserved)).toBeLessThanOrEqual(total);
      expect(payments).toBe(reserved['record-payment']);
      expect(sumOf(deliveries)).toBe(reserved['deliver-webhooks']);
      // The most that Lambda permits for an event source.
      expect(Math.max(...queues)).toBeLessThanOrEqual(1_000);
    }
    expect(sumOf(splitConcurrency(byDefault))).toBe(byDefault);
  });

  it.each([
    ['production', production],
    ['full', full],
  ])('limits the event sources of %s as their functions: SQS gets no throttled invocation', (_, template) => {
    const sources = Object.values(template.findResources('AWS::Lambda::EventSourceMapping')) as {
      Properties: { FunctionName: unknown; ScalingConfig?: { MaximumConcurrency: number } };
    }[];
    const limits: Record<string, number> = {};
    for (const { Properties } of sources) {
      const id = target(Properties.FunctionName);
      if (Properties.ScalingConfig)
        limits[id] = (limits[id] ?? 0) + Properties.ScalingConfig.MaximumConcurrency;
    }
    expect(Object.keys(limits).toSorted()).toStrictEqual(['DeliverWebhooks', 'RecordPayment']);
    expect(reservedIn(template)).toMatchObject(limits);
  });
});
