import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The floor: every function of this service needs it. */
export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
