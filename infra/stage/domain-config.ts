import { OperatorError } from '../terminal/operator-error.ts';
import { MalformedValueError, trueOrFalse } from './read-context-value.ts';
import type { StageContext } from './stage-context.ts';

/** The custom domain of a stage (`docs/operate.md`, "A custom domain"). */
export interface DomainConfig {
  readonly name: string;
  /** A certificate of AWS Certificate Manager, in the region of the stage. */
  readonly certificateArn: string;
  /** The hosted zone of Route 53 that gets the DNS record. Without it, an output has the record. */
  readonly hostedZoneId?: string | undefined;
  /** Whether the address that API Gateway generated responds too. */
  readonly hasDefaultEndpoint: boolean;
}

/**
 * The patterns of the values. AWS WAF allows 255 characters for the header `Link`, which has the domain. An internationalised
 * name is in its ASCII form.
 */
const PATTERNS = {
  domain: {
    pattern: /^(?=.{1,200}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/,
    form: 'a host name in lower case, such as api.example.com, with at most 200 characters',
  },
  certificateArn: {
    pattern: /^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
    form: 'the ARN of a certificate of ACM, such as arn:aws:acm:eu-west-1:123456789012:certificate/{id}',
  },
  hostedZoneId: {
    pattern: /^Z[A-Z0-9]{1,31}$/,
    form: 'the id of a hosted zone of Route 53, such as Z0123456789ABC',
  },
} as const;

const rejectMalformed = (context: StageContext): void => {
  for (const name of Object.keys(PATTERNS) as (keyof typeof PATTERNS)[]) {
    const { pattern, form } = PATTERNS[name];
    const value = context[name];
    if (value !== undefined && !pattern.test(value)) throw new MalformedValueError(name, form);
  }
};

const rejectWithoutDomain = (context: StageContext, hasDefaultEndpoint: boolean): void => {
  const needsDomain =
    (['certificateArn', 'hostedZoneId'] as const).find((name) => context[name] !== undefined) ??
    (hasDefaultEndpoint ? undefined : 'defaultEndpoint=false');
  if (needsDomain === undefined) return;
  throw new OperatorError(
    `The ${needsDomain} needs a domain: pass -c domain=api.example.com, or leave it out.`,
  );
};

/** A regional endpoint takes only certificates of its own region. */
const certificateOf = ({ certificateArn }: StageContext, region: string | undefined): string => {
  if (certificateArn === undefined) {
    throw new OperatorError('The domain needs a certificateArn: a certificate in the region of the stage.');
  }
  const [, , , certificateRegion] = certificateArn.split(':');
  if (region === undefined || certificateRegion === region) return certificateArn;
  throw new OperatorError(
    `The certificateArn is of ${certificateRegion}, but the stage is deployed to ${region}: use a certificate of ${region}, or set AWS_REGION.`,
  );
};

/**
 * The custom domain of a stage, if it has one.
 *
 * @param isProduction whether API Gateway's address ends with the domain, if the context does not say
 * @param region the region of the deployment. If it is unknown, only the deployment rejects a certificate of another one
 * @throws OperatorError if a value is malformed, or lacks the domain or the certificate that it needs
 */
export const domainOf = (
  context: StageContext,
  isProduction: boolean,
  region: string | undefined,
): DomainConfig | undefined => {
  rejectMalformed(context);
  const { domain: name, hostedZoneId } = context;
  const hasDefaultEndpoint = trueOrFalse(context, 'defaultEndpoint', name === undefined || !isProduction);
  if (name !== undefined) {
    return { name, certificateArn: certificateOf(context, region), hostedZoneId, hasDefaultEndpoint };
  }
  rejectWithoutDomain(context, hasDefaultEndpoint);
  return undefined;
};
