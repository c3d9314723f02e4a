import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { CONFIG, givenTransport, rejection } from '../../support/transport.ts';

describe('a skewed clock', () => {
  const NOW_MS = Date.parse('2026-01-15T12:30:00Z');
  const date = new Date(NOW_MS).toUTCString();

  it.each([86_400_000, -86_400_000])('is corrected by one retry: %i ms wrong', async (skewMs) => {
    const rejected = rejection('InvalidSignatureException');
    const { requests, transport, headersOf } = givenTransport(
      { ...rejected, headers: { date } },
      { headers: { date } },
    );
    const documents = createDocumentClient({ ...CONFIG, transport, machineNow: () => NOW_MS + skewMs });
    const get = new GetCommand({ TableName: 't', Key: { id: 'x' } });
    expect((await documents.send(get)).$metadata.attempts).toBe(2);
    await documents.send(get);
    expect(requests).toHaveLength(3);
    expect(headersOf(0)['x-amz-date']).not.toMatch(/^20260115/);
    expect([1, 2].map((index) => headersOf(index)['x-amz-date'])).toStrictEqual([
      '20260115T123000Z',
      '20260115T123000Z',
    ]);
  });

  it('is not corrected by a response from a cache', async () => {
    const { transport, headersOf } = givenTransport({ headers: { date, age: '60' } });
    const documents = createDocumentClient({ ...CONFIG, transport, machineNow: () => 0 });
    const get = new GetCommand({ TableName: 't', Key: { id: 'x' } });
    await documents.send(get);
    await documents.send(get);
    expect(headersOf(1)['x-amz-date']).toBe('19700101T000000Z');
  });
});
