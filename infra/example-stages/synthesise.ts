import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { ROOT } from '../core/project.ts';
import { CartCheckoutApp, type Repository } from '../stack/cart-checkout-app.ts';
import type { CartCheckoutStack } from '../stack/cart-checkout-stack.ts';
import type { Release } from '../stage/release.ts';
import type { StageContext } from '../stage/stage-context.ts';

/** The release of the example stages. */
export const RELEASE: Release = {
  version: '1.2.3',
  commit: '3f8dc76d37e3cd4f8a9eebedf66201a1b2c3d4e5',
  committedAt: '2026-11-20T14:00:00.000Z',
  deployer: 'ada',
};

/** A repository without files of stages, for a synthesis that no checkout changes. */
export const REPOSITORY: Repository = { branch: () => '', release: () => RELEASE, stageFile: () => ({}) };

interface SynthesisOptions {
  /** Overrides values of {@link REPOSITORY}. */
  readonly repository?: Partial<Repository>;
  /** Changes the stack before the synthesis. */
  readonly change?: (stack: CartCheckoutStack) => void;
}

/**
 * Synthesises a stage without its bundles, which `test/infra/stack/bundling.test.ts` checks, and without the rules of
 * CloudFormation, which take 5 s of CPU: `test/deploy/admit-assembly.test.ts` checks every option by them.
 *
 * @throws Error if cdk-nag has an unacknowledged finding
 */
export const synthesise = (
  context: StageContext,
  { repository, change = () => {} }: SynthesisOptions = {},
) => {
  // Only the CDK's command line reads the feature flags of `cdk.json` by itself.
  const { context: flags } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { context: object };
  const outdir = mkdtempSync(join(tmpdir(), 'cart-checkout-template-'));
  try {
    const { stack } = new CartCheckoutApp(
      { ...REPOSITORY, ...repository },
      {
        outdir,
        context: { ...flags, ...context, 'aws:cdk:bundling-stacks': [] },
        builtinCloudFormationValidation: false,
        // Nothing reads it.
        treeMetadata: false,
      },
    );
    change(stack);
    return { stack, template: Template.fromStack(stack) };
  } finally {
    rmSync(outdir, { recursive: true });
  }
};
