import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { toPaymentEvent } from '../../docs/examples/payments/payment-event.ts';
import { signedHeaders } from '../../docs/examples/payments/signed-request.ts';
import { deployedStage } from '../../docs/examples/payments/stage.ts';
import { listen } from '../../infra/local/gateway/listen.ts';

describe('a deployed stage', () => {
  const data = {
    payment: 'pay-1',
    reference: randomUUID(),
    amount: 4_990,
    currency: 'EUR',
    live: true,
    occurredAt: 1_795_174_438,
  };
  const event = toPaymentEvent({ id: 'evt-1', type: 'payment.captured', data })!;

  it('gets each event on its bus, and a rejected entry is an error', async () => {
    const eventBridge = mockClient(EventBridgeClient);
    onTestFinished(() => eventBridge.restore());
    eventBridge.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
    const { sendPaymentEvent } = deployedStage('https://api.example/prod', 'the-bus');
    await sendPaymentEvent(event);
    expect(eventBridge.commandCalls(PutEventsCommand)[0]?.args[0].input.Entries).toStrictEqual([
      {
        EventBusName: 'the-bus',
        Source: 'payments',
        DetailType: 'payment.succeeded',
        Detail: JSON.stringify(event.detail),
      },
    ]);
    eventBridge.on(PutEventsCommand).resolves({ FailedEntryCount: 1 });
    await expect(sendPaymentEvent(event)).rejects.toThrow('did not store');
  });

  it('gets reads with the signature of AWS (the case `get-vanilla` of the test suite of Signature Version 4)', () => {
    const headers = signedHeaders(
      new URL('https://example.amazonaws.com/'),
      { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
      { region: 'us-east-1', service: 'service', now: new Date('2015-08-30T12:36:00Z') },
    );
    expect(headers['authorization']).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    );
  });

  it('gets the session of a role in each signed read', async () => {
    const server = createServer((request, response) => {
      const { authorization, 'x-amz-security-token': token } = request.headers;
      response.end(JSON.stringify({ url: request.url, authorization, token }));
    });
    const port = await listen(server, '127.0.0.1', 0);
    onTestFinished(() => server.close().closeAllConnections());
    vi.stubEnv('AWS_SESSION_TOKEN', 'session');
    const { readCart } = deployedStage(`http://127.0.0.1:${port}/prod`, 'the-bus');
    expect(await readCart('id')).toStrictEqual({
      url: '/prod/internal/v1/carts/id',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/local\/execute-api\/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$/,
      ),
      token: 'session',
    });
  });
});
