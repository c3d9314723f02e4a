import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The floor: no function of this service can do with less. */
export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
