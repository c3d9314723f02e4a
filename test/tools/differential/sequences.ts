import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import type { Call } from './calls/call.ts';
import { calls, commandOf } from './calls/commands.ts';
import { type Plan, plansOf, stepsFor } from './calls/faults.ts';
import { compare, type Difference } from './compare.ts';
import { INTENDED_DIFFERENCES } from './intended-differences.ts';
import { type Observation, observe, type Side } from './observe.ts';
import type { VerifySignature } from './signatures.ts';
import { configOf, CREDENTIALS, type CredentialsName, type SideName, type Sides } from './sides.ts';
import { signatureVerifier } from './signatures.ts';

/** A call with the plan for its requests. Without a plan, they reach the database. */
export interface PlannedCall extends Call {
  readonly plan?: Plan;
}

/** Calls in turn by one client of each kind, on keys of their own. */
export interface Sequence {
  readonly credentials: CredentialsName;
  readonly calls: readonly PlannedCall[];
}

const faultyCalls: fc.Arbitrary<PlannedCall> = fc.oneof(
  { weight: 1, arbitrary: calls },
  { weight: 3, arbitrary: calls.chain((call) => plansOf(call.kind).map((plan) => ({ ...call, plan }))) },
);

const sequencesOf = (call: fc.Arbitrary<PlannedCall>): fc.Arbitrary<Sequence> =>
  fc.record({
    credentials: fc.constantFrom(...(Object.keys(CREDENTIALS) as CredentialsName[])),
    calls: fc.array(call, { minLength: 1, maxLength: 40, size: 'max' }),
  });

export const sequences: fc.Arbitrary<Sequence> = fc.oneof(
  { weight: 3, arbitrary: sequencesOf(calls) },
  { weight: 1, arbitrary: sequencesOf(faultyCalls) },
);

/** Counts the calls that a run has compared. */
export class Tally {
  calls = 0;
  readonly commands = new Set<string>();
  /** The number of errors that both clients threw, by name. */
  readonly errors = new Map<string, number>();
  /** The intended differences that occurred. */
  readonly intended = new Set<string>();

  /** A difference closes the tally. The repetitions that search for a smaller case do not count. */
  isClosed = false;

  add(call: PlannedCall, { errorName }: Observation): void {
    if (this.isClosed) return;
    this.calls += 1;
    this.commands.add(call.kind);
    if (errorName !== undefined) this.errors.set(errorName, (this.errors.get(errorName) ?? 0) + 1);
  }
}

/** A call of a sequence on which the clients differ. */
export interface Finding {
  readonly call: PlannedCall;
  readonly index: number;
  readonly differences: readonly Difference[];
}

const VERIFIERS = Object.fromEntries(
  (Object.keys(CREDENTIALS) as CredentialsName[]).map((name) => [
    name,
    signatureVerifier(new DynamoDBClient(configOf(name))),
  ]),
) as Record<CredentialsName, VerifySignature>;

let lastSequence = 0;

/** Makes each call of a sequence with both clients. Ends at the first call on which they differ by mistake. */
export const findDifference = async (
  sides: Sides,
  { credentials, calls: planned }: Sequence,
  tally: Tally,
): Promise<Finding | undefined> => {
  // A repetition of the same sequence, as to shrink it, finds keys without items.
  const sequence = (lastSequence += 1);
  const isFaulty = planned.some(({ plan }) => plan !== undefined);
  const opened = isFaulty ? sides.open(credentials) : undefined;
  const { sdk, lean } = opened ?? sides.lasting[credentials];
  const observeOn = (
    name: SideName,
    side: Side,
    { plan = { steps: [] }, ...call }: PlannedCall,
    index: number,
  ) =>
    observe(side, {
      ...plan,
      command: commandOf(call, sides.scopeOf(name, sequence)),
      plan: stepsFor(plan, index),
    });
  try {
    for (const [index, call] of planned.entries()) {
      const [sdkSaw, leanSaw] = await Promise.all([
        observeOn('sdk', sdk, call, index),
        observeOn('lean', lean, call, index),
      ]);
      const seen = { sdk: { side: sdk, observation: sdkSaw }, lean: { side: lean, observation: leanSaw } };
      const all = await compare(seen.sdk, seen.lean, VERIFIERS[credentials]);
      for (const { subject } of all) if (subject in INTENDED_DIFFERENCES) tally.intended.add(subject);
      const differences = all.filter(({ subject }) => !(subject in INTENDED_DIFFERENCES));
      if (differences.length > 0) {
        tally.isClosed = true;
        return { call, index, differences };
      }
      tally.add(call, sdkSaw);
    }
    return undefined;
  } finally {
    await opened?.close();
  }
};

const TEXT_MAX = 2_000;
const shortened = (text: string): string =>
  text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}... (${text.length} characters)` : text;

/** A finding, as a developer reads it. */
export const findingText = ({ call, index, differences }: Finding): string =>
  [
    `call ${index + 1} of the sequence, ${call.kind}:`,
    ...differences.map(
      ({ subject, sdk, lean }) => `  ${subject}\n    SDK:  ${shortened(sdk)}\n    lean: ${shortened(lean)}`,
    ),
  ].join('\n');
