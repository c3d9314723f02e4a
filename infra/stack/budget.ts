import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { StageConfig } from '../stage/stage-config.ts';

/**
 * The costs of resources with all of these tags. Only the payer of an organisation can activate tags for costs. Until then, no
 * cost has them.
 * https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/activating-tags.html
 */
const costsOf = ({ service, stage }: StageConfig['tags']): CfnBudget.ExpressionProperty => ({
  and: Object.entries({ service, stage }).map(([key, value = '']) => ({ tags: { key, values: [value] } })),
});

/**
 * Notifies the topic of the alarms on a day that has cost more than the budget: by default the whole account. AWS Budgets knows
 * the cost of a day with a delay of up to twelve hours.
 */
export const addDailyBudget = (
  scope: Construct,
  { dailyBudgetUsd, budgetScope, tags }: Pick<StageConfig, 'dailyBudgetUsd' | 'budgetScope' | 'tags'>,
  topic: Topic,
): void => {
  if (dailyBudgetUsd === undefined) return;
  const budget = new CfnBudget(scope, 'DailyBudget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'DAILY',
      budgetLimit: { amount: dailyBudgetUsd, unit: 'USD' },
      ...(budgetScope === 'stage' && { filterExpression: costsOf(tags), metrics: ['UnblendedCost'] }),
    },
    notificationsWithSubscribers: [
      {
        notification: {
          notificationType: 'ACTUAL',
          comparisonOperator: 'GREATER_THAN',
          threshold: 100,
          thresholdType: 'PERCENTAGE',
        },
        subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
      },
    ],
  });
  // AWS Budgets rejects a topic that it may not notify.
  budget.node.addDependency(topic);
};
