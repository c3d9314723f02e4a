import { define } from '../frame/command.ts';
import { optional } from '../frame/parameter.ts';
import { FOLDER } from '../frame/value-types.ts';

export const PREFLIGHT = define({
  summary: 'say what would fail in an account before a deployment creates anything',
  options: {
    assembly: optional(FOLDER, 'the folder of a synthesised stage; default: cdk.out of this project'),
  },
  stage: 'none',
  json: 'stack account region checks(check result remark)',
  example: 'preflight',
  notes: `\
Synthesise the stage first: \`npm run synth -- -c stage=NAME\`. AWS_PROFILE and AWS_REGION select the account and
the region. It only reads. RESULT is \`fails\` if the deployment would fail, \`limited\` if the account would hold
the stage back, \`unknown\` if your role lacks a permission or only another account can check it, and \`unavailable\` if a call fails.
It ends with 1 if a check fails or is unavailable.
Your role needs \`cloudformation:DescribeStacks\` and \`GetTemplate\`, \`lambda:GetAccountSettings\`, \`apigateway:GET\`,
\`acm:DescribeCertificate\`, \`iam:GetRole\` and \`GetAccountSummary\`.`,
});
