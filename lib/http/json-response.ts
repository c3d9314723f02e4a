import type { APIGatewayProxyResult } from 'aws-lambda';

/** A successful response with a JSON body. The pipeline adds the headers of every response. */
export const jsonResponse = (
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({ statusCode, headers, body: JSON.stringify(body) });
