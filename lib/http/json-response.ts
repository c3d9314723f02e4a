import type { APIGatewayProxyResult } from 'aws-lambda';

/** A successful answer with a JSON body; the pipeline adds the headers that every answer has. */
export const jsonResponse = (
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({ statusCode, headers, body: JSON.stringify(body) });
