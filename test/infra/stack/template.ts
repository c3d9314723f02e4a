import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { CartCheckoutApp } from '../../../infra/stack/cart-checkout-app.ts';
import type { CartCheckoutStack } from '../../../infra/stack/cart-checkout-stack.ts';
import type { StageContext } from '../../../infra/stages.ts';

/** A stage's stack and its template. */
export interface SynthesisedStack {
  readonly stack: CartCheckoutStack;
  readonly template: Template;
}

/**
 * The context of a synthesis without bundles: the feature flags of `cdk.json`, which only the CDK's command line reads by
 * itself.
 */
export const withoutBundles = (context: object): Record<string, unknown> => {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: object };
  return { ...flags, ...context, 'aws:cdk:bundling-stacks': [] };
};

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
  const outdir = mkdtempSync(join(tmpdir(), 'cart-checkout-template-'));
  try {
    const { stack } = new CartCheckoutApp(() => '', {
      outdir,
      context: withoutBundles(context),
    });
    change(stack);
    return { stack, template: Template.fromStack(stack) };
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

/** The template of a stage. */
export const templateOf = (context: StageContext): Template => synthesise(context).template;

/** The context of a branch's stage. */
export const BRANCH = { stage: 'my-branch' } as const;

/** The smallest context of production. */
export const PRODUCTION = { stage: 'prod', checkoutUrl: 'https://pay.example.com' } as const;

/** The logical id that a reference in a template leads to, without the hash behind it. */
export const target = (reference: unknown): string =>
  /"(?:Fn::GetAtt":\["|Ref":")(\w+?)[0-9A-F]{8}"/.exec(JSON.stringify(reference))?.[1] ??
  JSON.stringify(reference);
