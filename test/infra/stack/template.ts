import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { CartCheckoutApp } from '../../../infra/stack/cart-checkout-app.ts';
import type { CartCheckoutStack } from '../../../infra/stack/cart-checkout-stack.ts';
import type { StageContext } from '../../../infra/stage-context.ts';

/** A stage's stack and its template. */
export interface SynthesisedStack {
  readonly stack: CartCheckoutStack;
  readonly template: Template;
}

/**
 * Synthesises a stage without its bundles, which `bundling.test.ts` checks.
 *
 * @param change changes the stack before the synthesis
 * @throws Error if cdk-nag has an unacknowledged finding
 */
export const synthesise = (
  context: StageContext,
  change: (stack: CartCheckoutStack) => void = () => {},
): SynthesisedStack => {
  // Only the CDK's command line reads the feature flags of `cdk.json` by itself.
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
  const outdir = mkdtempSync(join(tmpdir(), 'cart-checkout-template-'));
  try {
    const { stack } = new CartCheckoutApp(() => '', {
      outdir,
      context: { ...flags, ...context, 'aws:cdk:bundling-stacks': [] },
    });
    change(stack);
    return { stack, template: Template.fromStack(stack) };
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

/** A synthesis that runs once per process, when it is first needed: each takes about a second. */
const once = (context: StageContext): (() => SynthesisedStack) => {
  let synthesised: SynthesisedStack | undefined;
  return () => (synthesised ??= synthesise(context));
};

/** The stage of a branch. */
export const branchStage = once({ stage: 'my-branch' });

/** Production with the smallest context. */
export const productionStage = once({
  stage: 'prod',
  checkoutUrl: 'https://pay.example.com',
  alarmEmail: 'ops@example.com',
});

/** A stage with every option. */
export const fullStage = once({
  stage: 'full',
  requestsPerSecond: '5000',
  firewall: 'true',
  firewallAllow: '203.0.113.0/24,2001:db8::/32',
  canary: 'true',
  sandbox: 'false',
  alarmEmail: 'ops@example.com',
});

/** The logical id that a reference in a template leads to, without the hash behind it. */
export const target = (reference: unknown): string =>
  /"(?:Fn::GetAtt":\["|Ref":")(\w+?)[0-9A-F]{8}"/.exec(JSON.stringify(reference))?.[1] ??
  JSON.stringify(reference);
