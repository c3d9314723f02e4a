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
};
