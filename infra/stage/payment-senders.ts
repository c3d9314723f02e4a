import { OperatorError } from '../terminal/operator-error.ts';
import { MalformedValueError } from './read-context-value.ts';
import type { ContextName, StageContext } from './stage-context.ts';

/** The permitted senders of payment events to a stage's bus (`docs/payments.md`, "Who may send payments"). */
export interface PaymentSenders {
  /** The EventBridge `source` of payment events. */
  readonly source: string;
  /** The role of the payment side. If it is set, only it, the operators and the stage itself may put events. */
  readonly roleArn?: string | undefined;
  /** The role with which operators send a payment event by hand. */
  readonly operatorRoleArn?: string | undefined;
}

/** The source of payment events, unless a stage has another one. */
export const PAYMENT_SOURCE = 'payments';

/** The pattern of PutEvents. AWS reserves sources that begin with `aws.`. */
const SOURCE = /^(?!aws\.)[\w./-]{1,256}$/i;

/** The ARN of a role has no session, and no wildcard: a condition on ARNs would match others too. */
const ROLE_ARN = /^arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;

const roleArnOf = (name: ContextName, arn: string | undefined): string | undefined => {
  if (arn === undefined || ROLE_ARN.test(arn)) return arn;
  throw new MalformedValueError(
    name,
    'the ARN of an IAM role, such as arn:aws:iam::123456789012:role/{name}',
  );
};

/**
 * Reads the permitted senders of a stage from its context values.
 *
 * @throws OperatorError if a value is invalid, or if `operatorRoleArn` is given without `paymentRoleArn`
 */
export const paymentSendersOf = ({
  paymentSource: source = PAYMENT_SOURCE,
  paymentRoleArn,
  operatorRoleArn,
}: StageContext): PaymentSenders => {
  if (!SOURCE.test(source)) {
    throw new MalformedValueError(
      'paymentSource',
      'an EventBridge source: 1 to 256 letters, digits and ./_-, and not an AWS service',
    );
  }
  if (operatorRoleArn !== undefined && paymentRoleArn === undefined) {
    throw new OperatorError(
      'The operatorRoleArn needs a paymentRoleArn: without it, every principal of the account may send payments.',
    );
  }
  return {
    source,
    roleArn: roleArnOf('paymentRoleArn', paymentRoleArn),
    operatorRoleArn: roleArnOf('operatorRoleArn', operatorRoleArn),
  };
};
