import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CartCheckoutStack } from '../../../infra/stack/cart-checkout-stack.ts';
import { type StageContext, stageConfig } from '../../../infra/stages.ts';

/** A stage's stack, with the feature flags of `cdk.json`, which only the CDK's command line reads. */
export const stackOf = (context: StageContext): CartCheckoutStack => {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as {
    context: Record<string, unknown>;
  };
  // Bundles are another test's matter, and take a second each.
  const app = new App({ context: { ...flags, 'aws:cdk:bundling-stacks': [] } });
  return new CartCheckoutStack(app, 'Stack', stageConfig(context));
};

/** The template of a stage. */
export const templateOf = (context: StageContext): Template => Template.fromStack(stackOf(context));

/** The stage of a branch. */
export const ephemeralTemplate = (): Template => templateOf({ stage: 'my-branch' });

/** Production. */
export const productionTemplate = (): Template =>
  templateOf({ stage: 'prod', checkoutUrl: 'https://pay.example.com' });

/** The logical id that a reference in a template leads to, without the hash behind it. */
export const target = (reference: unknown): string =>
  /"(?:Fn::GetAtt":\["|Ref":")(\w+?)[0-9A-F]{8}"/.exec(JSON.stringify(reference))?.[1] ??
  JSON.stringify(reference);
