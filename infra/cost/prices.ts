/** AWS counts 730 hours in a month. */
export const SECONDS_PER_MONTH = 730 * 3_600;

/** List prices of us-east-1 in dollars, without free tiers. Each page below lists those after it. */
export const PRICES = {
  // https://aws.amazon.com/api-gateway/pricing/
  /** The price of a million requests to a REST API, by the millions of the month so far. */
  apiGateway: [
    { untilMillions: 333, price: 3.5 },
    { untilMillions: 1_000, price: 2.8 },
    { untilMillions: 20_000, price: 2.38 },
    { untilMillions: Infinity, price: 1.51 },
  ],

  // https://aws.amazon.com/lambda/pricing/, on arm64
  lambdaMillionRequests: 0.2,
  lambdaGigabyteSecond: 0.0000133334,

  // https://aws.amazon.com/dynamodb/pricing/on-demand/
  dynamodbMillionWrites: 0.625,
  dynamodbMillionReads: 0.125,
  /** Storage for 0.25, and the backups of a stage that keeps its data for 0.20. */
  dynamodbGigabyteMonth: 0.45,

  // https://aws.amazon.com/sqs/pricing/
  sqsMillionRequests: 0.4,

  // https://aws.amazon.com/eventbridge/pricing/
  busMillionEvents: 1,

  // https://aws.amazon.com/cloudwatch/pricing/
  logsGigabyte: 0.5,
  /** An alarm costs this for each metric of its expression. */
  alarmMetricMonth: 0.1,
  dashboardMonth: 3,

  // https://aws.amazon.com/xray/pricing/
  xrayMillionTraces: 5,

  // https://aws.amazon.com/waf/pricing/
  firewallMillionRequests: 0.6,
  firewallMonth: 5,
  firewallRuleMonth: 1,

  // https://aws.amazon.com/secrets-manager/pricing/
  secretMonth: 0.4,
} as const;
