import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';

/**
 * Sends an e-mail on a day on which the account has cost more than the budget. AWS Budgets knows the cost of a day with a
 * delay of up to twelve hours.
 */
export const addDailyBudget = (scope: Construct, amountUsd: number, email: string): void =>
  void new CfnBudget(scope, 'DailyBudget', {
    budget: { budgetType: 'COST', timeUnit: 'DAILY', budgetLimit: { amount: amountUsd, unit: 'USD' } },
    notificationsWithSubscribers: [
      {
        notification: {
          notificationType: 'ACTUAL',
          comparisonOperator: 'GREATER_THAN',
          threshold: 100,
          thresholdType: 'PERCENTAGE',
        },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      },
    ],
  });
