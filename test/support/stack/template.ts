import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { BRANCH_CONTEXT, FULL_CONTEXT, PRODUCTION_CONTEXT } from '../../../infra/example-stages/contexts.ts';
import { synthesise } from '../../../infra/example-stages/synthesise.ts';
import type { CartCheckoutStack } from '../../../infra/stack/cart-checkout-stack.ts';
import { withoutHash } from '../../../infra/stage/stack-template.ts';
import type { StageContext } from '../../../infra/stage/stage-context.ts';

/** A template, and properties of its stack that the template does not show. */
interface Synthesis {
  readonly stack: Pick<CartCheckoutStack, 'stackName' | 'terminationProtection'>;
  readonly template: Template;
}

/**
 * A synthesis that runs once per test run, when it is first needed: each takes about a second. The workers share it through
 * a file in the temporary folder, which belongs to the run.
 */
const once = (context: StageContext, name = context.stage): (() => Synthesis) => {
  const file = join(tmpdir(), `stage-${name}.json`);
  let synthesis: Synthesis | undefined;
  const read = (): Synthesis => {
    if (!existsSync(file)) {
      const { stack, template } = synthesise(context);
      const { stackName, terminationProtection } = stack;
      const ownFile = `${file}-${process.pid}`;
      writeFileSync(
        ownFile,
        JSON.stringify({ stack: { stackName, terminationProtection }, template: template.toJSON() }),
      );
      // Another worker reads the whole file or none.
      renameSync(ownFile, file);
    }
    const { stack, template } = JSON.parse(readFileSync(file, 'utf8')) as Pick<Synthesis, 'stack'> & {
      template: object;
    };
    return { stack, template: Template.fromJSON(template) };
  };
  return () => (synthesis ??= read());
};

export const branchStage = once(BRANCH_CONTEXT);

export const OTHER_BRANCH_CONTEXT = {
  ...BRANCH_CONTEXT,
  alarmEmail: 'none',
  cartExpiryMinutes: '60',
  dailyBudgetUsd: '5',
  permissionsBoundary: 'arn:aws:iam::111111111111:policy/boundary',
  rollout: 'in-steps',
} as const satisfies StageContext;

/** A branch with several other options. The tests of single options share it: each synthesis takes about a second. */
export const otherBranchStage = once(OTHER_BRANCH_CONTEXT, 'other-branch');

export const productionStage = once(PRODUCTION_CONTEXT);

export const fullStage = once(FULL_CONTEXT);

/** Whether production has a resource with this id in its code, or an output with this name. */
export const isResource = (name: string): boolean => {
  const { Resources = {}, Outputs = {} } = productionStage().template.toJSON() as Record<string, object>;
  return name in Outputs || Object.keys(Resources).some((id) => withoutHash(id) === name);
};

/** The logical id that a reference in a template leads to, without the hash behind it. */
export const target = (reference: unknown): string =>
  /"(?:Fn::GetAtt":\["|Ref":")(\w+?)[0-9A-F]{8}"/.exec(JSON.stringify(reference))?.[1] ??
  JSON.stringify(reference);
