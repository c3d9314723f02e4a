import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import {
  type Account as GatewayAccount,
  APIGatewayClient,
  GetAccountCommand,
  GetDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSummaryCommand, GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { RESERVED_CONCURRENCY } from '../../stage/concurrency.ts';
import { propertiesOf, type StackTemplate } from '../../stage/stack-template.ts';
import type { Finding } from '../shared/findings.ts';
import {
  DEFAULT_BOOTSTRAP,
  domainPropertiesOf,
  gatewayLimits,
  namedRoles,
  type PlannedStack,
  reservedExecutions,
} from './planned-stack.ts';

/** The result of a check of the account. `limited`: the deployment succeeds, but the account holds the stage back. */
export type AccountFinding = Finding<'fails' | 'limited'>;

/** A deployment that is planned, and where. */
interface Plan {
  readonly planned: PlannedStack;
  readonly account: string;
  readonly region: string;
}

type Check = (plan: Plan) => Promise<AccountFinding>;

const ok = (remark: string): AccountFinding => ({ result: 'ok', remark });
const fails = (remark: string): AccountFinding => ({ result: 'fails', remark });
const limited = (remark: string): AccountFinding => ({ result: 'limited', remark });

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);

/** The result of a call, or `undefined` if AWS does not know what it asks for. */
const ifFound = <Found>(call: Promise<Found>, ...names: readonly string[]): Promise<Found | undefined> =>
  call.catch((error: unknown) => {
    if (isNamed(error, ...names)) return undefined;
    throw error;
  });

const describeStack = async (StackName: string) => {
  const call = new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName }));
  // CloudFormation has no error of its own for a missing stack.
  return (await ifFound(call, 'ValidationError'))?.Stacks?.[0];
};

/** The template of the stack as it is deployed. Empty if there is none. */
const deployedTemplate = async (StackName: string): Promise<StackTemplate> => {
  const call = new CloudFormationClient({}).send(new GetTemplateCommand({ StackName }));
  const { TemplateBody = '{"Resources":{}}' } = (await ifFound(call, 'ValidationError')) ?? {};
  return JSON.parse(TemplateBody) as StackTemplate;
};

const bootstrap: Check = async ({ planned }) => {
  if (planned.bootstrapParameter !== DEFAULT_BOOTSTRAP) {
    return {
      result: 'unknown',
      remark: `It has a qualifier. This shows its version: \`aws ssm get-parameter --name ${planned.bootstrapParameter}\`.`,
    };
  }
  const stack = await describeStack('CDKToolkit');
  const { OutputValue: version } =
    stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion') ?? {};
  if (version === undefined)
    return fails('The CDK has no resources here: run `npx cdk bootstrap -c stage=bootstrap`.');
  return Number(version) >= planned.bootstrapVersion
    ? ok(`Version ${version}`)
    : fails(
        `Version ${version} is older than ${planned.bootstrapVersion}: run \`npx cdk bootstrap -c stage=bootstrap\`.`,
      );
};

const stack: Check = async ({ planned: { name, isProtected } }) => {
  const found = await describeStack(name);
  const status = found?.StackStatus ?? 'REVIEW_IN_PROGRESS';
  const isCreated = found !== undefined && !/^(?:ROLLBACK_|REVIEW_|CREATE_FAILED)/.test(status);
  // `REVIEW_IN_PROGRESS`: only a change set exists.
  if (/^(?!REVIEW).*_IN_PROGRESS$/.test(status)) return fails(`It is ${status}: wait until this ends.`);
  if (status === 'DELETE_FAILED')
    return fails('Its deletion failed: correct the reason, and delete it again.');
  const wasProtected = found?.EnableTerminationProtection === true;
  // A repetition of the first deployment's command.
  if (wasProtected && isCreated && !isProtected)
    return fails(
      'The deployment would end its protection: leave out -c protected=false, unless you want to destroy the stage.',
    );
  if (wasProtected && !isCreated) {
    return fails(
      `Its creation failed, and it is protected: run \`aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}\`.`,
    );
  }
  if (isProtected && !isCreated)
    return fails('It does not exist yet: add -c protected=false to its first deployment.');
  if (status === 'UPDATE_ROLLBACK_FAILED') {
    return fails(
      `Its last rollback failed: correct the resource that failed, then run \`aws cloudformation continue-update-rollback --stack-name ${name}\`.`,
    );
  }
  return ok(isCreated ? `It is ${status}` : 'It will be created');
};

/** AWS keeps these for functions that reserve none. https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
const UNRESERVED_MIN = 100;

const executions: Check = async ({ planned: { name, template } }) => {
  const reserved = reservedExecutions(template);
  const { AccountLimit: { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: left = 0 } = {} } =
    await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
  if (reserved === 0) return ok(`The quota is ${quota}. The stage reserves none`);
  // An update gives back what the stack reserves today.
  const available = left + reservedExecutions(await deployedTemplate(name)) - UNRESERVED_MIN;
  if (available >= reserved)
    return ok(`It reserves ${reserved} of ${available} that are left, of a quota of ${quota}`);
  const fewer = available >= RESERVED_CONCURRENCY.min ? available : 0;
  return fails(
    `It reserves ${reserved}, but ${Math.max(0, available)} are left of a quota of ${quota}, because ${UNRESERVED_MIN} must stay unreserved: ` +
      `raise the quota L-B99A9384 of Lambda, or deploy with -c reservedConcurrency=${fewer}.`,
  );
};

const gatewayAccount = (): Promise<GatewayAccount> =>
  new APIGatewayClient({}).send(new GetAccountCommand({}));

const accessLogs: Check = async () => {
  const { cloudwatchRoleArn = '' } = await gatewayAccount();
  return cloudwatchRoleArn === ''
    ? fails('API Gateway has no role for CloudWatch: create it as in docs/operate.md, "Prepare an account".')
    : ok(cloudwatchRoleArn);
};

/** The quotas of a region. Some regions begin with a quarter of the others. */
const gatewayQuota: Check = async ({ planned: { template }, region }) => {
  const { rate, burst } = gatewayLimits(template);
  const { throttleSettings: { rateLimit = 0, burstLimit = 0 } = {} } = await gatewayAccount();
  const quota = `${rateLimit} requests a second and ${burstLimit} at once for all APIs in ${region}`;
  if (rateLimit >= rate && burstLimit >= burst) return ok(quota);
  return limited(
    `Only ${quota}, and the stage would allow ${rate} and ${burst}: raise the quota L-8A5B8E43 of API Gateway, or deploy with a lower -c requestsPerSecond.`,
  );
};

/** Whether a certificate for a name, or for `*.` and its parent, is one for the domain. */
const covers = (name: string, domain: string): boolean =>
  name === domain || (name.startsWith('*.') && name.slice(1) === domain.slice(domain.indexOf('.')));

const certificate: Check = async ({ planned, account, region }) => {
  const domain = domainPropertiesOf(planned.template);
  if (!domain) return ok('The stage has no domain');
  const CertificateArn = domain.RegionalCertificateArn;
  const [, , , ownRegion, ownAccount] = CertificateArn.split(':');
  if (ownRegion !== region || ownAccount !== account) {
    return fails(`It is of ${ownAccount} in ${ownRegion}: use a certificate of ${account} in ${region}.`);
  }
  const call = new ACMClient({}).send(new DescribeCertificateCommand({ CertificateArn }));
  const { Certificate: found } = (await ifFound(call, 'ResourceNotFoundException')) ?? {};
  if (!found) return fails(`There is no ${CertificateArn}: request one, and validate it by DNS.`);
  if (found.Status !== 'ISSUED') return fails(`It is ${found.Status}: wait until it is ISSUED.`);
  const names = [found.DomainName ?? '', ...(found.SubjectAlternativeNames ?? [])];
  return names.some((name) => covers(name, domain.DomainName))
    ? ok(`It is issued for ${domain.DomainName}`)
    : fails(`It is for ${names.join(', ')}, not for ${domain.DomainName}.`);
};

const domainName: Check = async ({ planned: { name, template } }) => {
  const domain = domainPropertiesOf(template);
  if (!domain) return ok('The stage has no domain');
  const { DomainName } = domain;
  if (domainPropertiesOf(await deployedTemplate(name))?.DomainName === DomainName)
    return ok('The stack has it already');
  const call = new APIGatewayClient({}).send(new GetDomainNameCommand({ domainName: DomainName }));
  return (await ifFound(call, 'NotFoundException'))
    ? fails(`Another API of this region has ${DomainName}: remove the domain from that API first.`)
    : ok('No other API of this region has it');
};

const senders: Check = async ({ planned: { template }, account }) => {
  const arns = namedRoles(template);
  if (arns.length === 0) return ok('The stage names no role');
  const own = arns.filter((arn) => arn.split(':')[4] === account);
  const iam = new IAMClient({});
  const find = async (arn: string) => {
    const RoleName = arn.split('/').at(-1);
    const found = await ifFound(
      iam.send(new GetRoleCommand({ RoleName })),
      'NoSuchEntityException',
      'NoSuchEntity',
    );
    return found?.Role?.Arn === arn ? [] : [arn];
  };
  const missing = (await Promise.all(own.map(find))).flat();
  if (missing.length > 0) {
    return fails(
      `There is no ${missing.join(' and no ')}. EventBridge rejects a policy with it: create it first.`,
    );
  }
  const foreign = arns.filter((arn) => !own.includes(arn));
  return foreign.length === 0
    ? ok(`They exist: ${own.join(', ')}`)
    : { result: 'unknown', remark: `Only their own account knows whether they exist: ${foreign.join(', ')}` };
};

const roles: Check = async ({ planned: { name, template } }) => {
  const { SummaryMap: { Roles = 0, RolesQuota = 0 } = {} } = await new IAMClient({}).send(
    new GetAccountSummaryCommand({}),
  );
  const type = 'AWS::IAM::Role';
  const added = propertiesOf(template, type).length - propertiesOf(await deployedTemplate(name), type).length;
  const text = `The account has ${Roles} of ${RolesQuota}, and the stage adds ${added}`;
  return Roles + added <= RolesQuota ? ok(text) : fails(`${text}: raise the quota L-FE177D64 of IAM.`);
};

/** Each check by its name, in the order in which a deployment needs them. */
export const CHECKS: Readonly<Record<string, Check>> = {
  'bootstrap of the CDK': bootstrap,
  stack,
  certificate,
  'domain name': domainName,
  'IAM roles': roles,
  'roles of other stacks': senders,
  'concurrent executions': executions,
  'access logs of API Gateway': accessLogs,
  'requests to API Gateway': gatewayQuota,
};
