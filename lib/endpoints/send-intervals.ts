import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tookEffect } from '../database/conditional-writes.ts';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import { updateOf } from '../database/expressions.ts';
import { FAILURES_OPEN, IS_CLOSED } from './breaker.ts';
import { type EndpointItem, endpointKey, EXISTS } from './endpoint-item.ts';
import type { EndpointRef } from './endpoint.ts';

/** The least time between two test events of an endpoint, and between two resends. */
export const SEND_INTERVAL_SECONDS = 10;

/** The least time between two test events while the breaker is open. Each of them is then a probe. */
export const OPEN_TEST_INTERVAL_SECONDS = 60;

/** What a request sends to an endpoint: a test event, or a delivery that was sent before. */
type SendKind = 'test' | 'resend';

/** The attribute of an endpoint with the begin of its last interval of a kind. */
const ATTRIBUTES = { test: 'testedAtMs', resend: 'resentAtMs' } as const satisfies Readonly<
  Record<SendKind, keyof EndpointItem>
>;

const beginUpdate = (kind: SendKind, nowMs: number) => {
  const at = ATTRIBUTES[kind];
  const isDue = `${at} <= :before`;
  const isProbeDue = `(${at} <= :beforeProbe OR (${isDue} AND ${IS_CLOSED}))`;
  return updateOf(
    { set: { [at]: nowMs } },
    {
      ConditionExpression: `${EXISTS} AND (attribute_not_exists(${at}) OR ${kind === 'test' ? isProbeDue : isDue})`,
      ExpressionAttributeValues: {
        ':before': nowMs - SEND_INTERVAL_SECONDS * 1_000,
        ...(kind === 'test' && {
          ':beforeProbe': nowMs - OPEN_TEST_INTERVAL_SECONDS * 1_000,
          ':open': FAILURES_OPEN,
        }),
      },
    },
  );
};

/** Limits what requests may send to endpoints, in the items of the table `webhookEndpoints`. */
export const createSendIntervals = (documents: DocumentClient, tableName: string) => ({
  /**
   * Begins an interval in which no other request may send the same kind to the endpoint, by one conditional write.
   *
   * @returns `false` if the endpoint was removed, or if the last interval of the kind has not ended
   * @throws when DynamoDB is slow, throttles or is down
   */
  begin(endpoint: EndpointRef, kind: SendKind, nowMs: number, signal?: AbortSignal): Promise<boolean> {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: endpointKey(endpoint),
      ...beginUpdate(kind, nowMs),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return tookEffect(documents.send(command, callOptions(signal)), { [ATTRIBUTES[kind]]: nowMs });
  },
});

export type SendIntervals = ReturnType<typeof createSendIntervals>;
