import { define } from '../frame/command.ts';

export const STAGES = {
  list: define({
    summary: 'list the deployed stages of an account and region, the longest unchanged first',
    stage: 'none',
    json: 'region stages(stage status createdAt updatedAt unchangedDays usdPerMonth)',
    example: 'stages list',
    notes: `\
AWS_PROFILE and AWS_REGION select the account and the region. The cost is that of a stage without requests and data: docs/cost.md.
It excludes a firewall ($9 a month) and roll-outs in steps of a stage other than prod. Destroy a forgotten stage with
\`npx cdk destroy -c stage=NAME\`. Your role needs \`cloudformation:DescribeStacks\` and \`ListStacks\`.`,
  }),
  show: define({
    summary: 'show the release and all values of a deployed stage, and the command that deploys it again',
    stage: 'deployed',
    json: 'stage version commit committedAt deployer deployedAt values(name value isGiven) command',
    example: 'stages show --stage prod',
    notes: `\
The time is that of the last change of the stack, by CloudFormation: a deployment that changes nothing leaves it. FROM is
\`default\` if no deployment states the value: it then follows the release.`,
  }),
};
