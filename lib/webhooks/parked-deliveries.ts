import { DeleteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../core/documents.ts';
import { type DeliveryMessage, deliveryId } from './delivery.ts';
import type { EndpointRef } from './endpoint.ts';

/** A delivery that waits until its endpoint works again. */
export interface ParkedDelivery {
  /** See `deliveryId`: ids sort by the time of the event. */
  readonly id: string;
  readonly sequence: number;
  /** The attempt that is due. */
  readonly attempt: number;
}

/** A message that can be parked: that of an event. A ping has no sequence, and does not wait. */
export type ParkableMessage = DeliveryMessage & { readonly sequence: number };

export const isParkable = (message: DeliveryMessage): message is ParkableMessage =>
  message.sequence !== undefined;

/** The parked deliveries of endpoints. Every method throws when DynamoDB is slow, throttles or is down. */
export interface ParkedDeliveries {
  park(messages: readonly ParkableMessage[]): Promise<void>;

  /** Lists parked deliveries of an endpoint, the oldest event first, by a strongly consistent query. */
  list(endpoint: EndpointRef, limit: number): Promise<readonly ParkedDelivery[]>;

  remove(endpoint: EndpointRef, ids: readonly string[]): Promise<void>;
}

const bucketOf = ({ endpointId }: EndpointRef): string => `parked#${endpointId}`;

/** Parked deliveries in the table `due`, in one partition for each endpoint. */
export const createParkedDeliveries = (documents: Documents, tableName: string): ParkedDeliveries => ({
  async park(messages) {
    await Promise.all(
      messages.map(({ endpoint, sequence, attempt, ...message }) => {
        const Item = { bucket: bucketOf(endpoint), id: deliveryId(message), sequence, attempt };
        return documents.send(new PutCommand({ TableName: tableName, Item }));
      }),
    );
  },

  async list(endpoint, limit) {
    const command = new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: '#bucket = :bucket',
      ExpressionAttributeNames: { '#bucket': 'bucket' },
      ExpressionAttributeValues: { ':bucket': bucketOf(endpoint) },
      Limit: limit,
      ConsistentRead: true,
    });
    const { Items = [] } = await documents.send(command);
    return Items.map((item) => item as ParkedDelivery);
  },

  async remove(endpoint, ids) {
    await Promise.all(
      ids.map((id) =>
        documents.send(new DeleteCommand({ TableName: tableName, Key: { bucket: bucketOf(endpoint), id } })),
      ),
    );
  },
});
