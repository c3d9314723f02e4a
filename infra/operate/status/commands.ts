import { define } from '../frame/command.ts';

export const STATUS = define({
  summary: 'say what of a stage needs a person now',
  json: 'stage checks(check result remark)',
  example: 'status --stage prod',
  notes: `\
It only reads. RESULT is \`look\` if something needs a person, \`unknown\` if your role may not read it, and \`unavailable\` if a
call fails. It then ends with 1.
It names the time for the messages that wait: docs/operate.md, "How long a backlog takes". The oldest message is one that was
received at most twice. A local stage has only queues and dead letters.
Your role needs \`cloudformation:DescribeStacks\`, \`cloudwatch:DescribeAlarms\` and \`GetMetricData\`, \`sqs:GetQueueAttributes\`,
\`sns:ListSubscriptionsByTopic\`, and for a domain \`apigateway:GET\` and \`acm:DescribeCertificate\`.`,
});
