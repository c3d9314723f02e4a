import {
  App,
  type AppProps,
  DefaultStackSynthesizer,
  type IStackSynthesizer,
  PermissionsBoundary,
  type StackProps,
  Validations,
} from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { AccountRules } from '../stage/account-rules.ts';
import type { Release } from '../stage/release.ts';
import { stageConfig } from '../stage/stage-config.ts';
import { readStageContext } from '../stage/stage-context.ts';
import type { StoredValues } from '../stage/stage-file.ts';
import { safeStageName, stackNameOf } from '../stage/stage-name.ts';
import { stageValues } from '../stage/stage-values.ts';
import { CartCheckoutStack } from './cart-checkout-stack.ts';

/** The parts of the repository that the app reads. */
export interface Repository {
  /** Names the stage if the context does not. */
  readonly branch: () => string;
  readonly release: () => Release;
  /** The file of a stage. */
  readonly stageFile: (stageName: string) => StoredValues;
}

/** The CDK gives the boundary to every role of the stack, also to those that its own constructs add. */
const stackPropsOf = ({ permissionsBoundary: policy, qualifier }: AccountRules): StackProps => ({
  // The types of the CDK are not made for `exactOptionalPropertyTypes`.
  ...(qualifier !== undefined && {
    synthesizer: new DefaultStackSynthesizer({ qualifier }) as IStackSynthesizer,
  }),
  ...(policy !== undefined && {
    permissionsBoundary: policy.startsWith('arn:')
      ? PermissionsBoundary.fromArn(policy)
      : PermissionsBoundary.fromName(policy),
  }),
});

/** The CDK app: the stack of one stage, checked by cdk-nag. An unacknowledged finding makes the synthesis fail. */
export class CartCheckoutApp extends App {
  readonly stack: CartCheckoutStack;

  /** @throws OperatorError if a name or value of the context is invalid */
  constructor({ branch, release, stageFile }: Repository, props?: AppProps) {
    super(props);
    Validations.of(this).addPlugins(new AwsSolutionsChecks(this));
    const values = this.node.getAllContext() as Readonly<Record<string, unknown>>;
    // The region of AWS_REGION or AWS_PROFILE, from the command line of the CDK.
    const region = process.env['CDK_DEFAULT_REGION'];
    const context = readStageContext(values, branch, (stage) => stageFile(safeStageName(stage)));
    const config = stageConfig(context, region);
    const record = { values: stageValues(context, config), release: release() };
    this.stack = new CartCheckoutStack(this, stackNameOf(config.name), config, record, {
      description: 'Cart Checkout API',
      ...stackPropsOf(config.accountRules),
    });
  }
}
