import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local/local-database.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { startDynamodbProxy } from '../../support/dynamodb-proxy.ts';
import { stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage } from '../../support/stage.ts';

afterAll(stopProcesses);

// Repeated where the machine itself stood still: the bound is the service's, the clock the machine's.
test(
  'while the database hangs, more requests than run at once are all answered 503 in time, and make nothing',
  { retry: 2 },
  async () => {
    const database = await givenStage();
    const proxy = await startDynamodbProxy(database.dynamodbEndpoint, 0);
    const stage = await givenStage(['--dynamodb', proxy.endpoint]);
    const apiKey = await database.givenKey({ limit: 1_000 });
    // Longer than any request may take.
    proxy.delay(30_000);

    const startedAtMs = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 80 }, () => stage.createCart(cartBody(stage.productId), { apiKey })),
    );
    const seconds = (performance.now() - startedAtMs) / 1_000;

    const seen = answers.map(({ status, body, headers }) => [status, body['code'], headers['retry-after']]);
    expect(seen).toStrictEqual(Array.from({ length: 80 }, () => [503, 'SERVICE_UNAVAILABLE', '1']));
    expect(seconds).toBeLessThan(5);

    proxy.delay(0);
    expect((await stage.createCart(cartBody(stage.productId), { apiKey })).status).toBe(201);
    const documents = createDocumentClient(localClientConfig(database.dynamodbEndpoint));
    const { Count } = await documents.send(new ScanCommand({ TableName: LOCAL_TABLE_NAMES.carts }));
    expect(Count).toBe(1);
    await proxy.close();
  },
);
