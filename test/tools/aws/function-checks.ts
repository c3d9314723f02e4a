import assert from 'node:assert/strict';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetFunctionCommand, InvokeCommand } from '@aws-sdk/client-lambda';
import type { Check } from './checked-stage.ts';

/** The checks of a function and its role that no request shows. */
export const FUNCTION_CHECKS: readonly Check[] = [
  {
    name: 'fan-out-events puts events of two types on the bus with one call',
    needs: 'aws',
    run: async (stage) => {
      const { dynamodb, lambda, resource } = stage.account;
      // The suite, the payment and the endpoints above have recorded some.
      const { Items = [] } = await dynamodb.send(
        new ScanCommand({ TableName: stage.outputs['EventsTable'], ConsistentRead: true }),
      );
      const byType = Map.groupBy(Items, ({ type }) => type?.S);
      byType.delete(undefined);
      const images = [...byType.values()].slice(0, 2).map(([first]) => first);
      assert.equal(images.length, 2, 'The log has events of one type');
      // As the stream invokes it. The bus gets these events a second time.
      const Records = images.map((NewImage, index) => ({
        eventName: 'INSERT',
        dynamodb: { SequenceNumber: String(index), NewImage },
      }));
      const FunctionName = resource('FanOutEvents');
      const invoke = new InvokeCommand({ FunctionName, Payload: JSON.stringify({ Records }) });
      const { Payload } = await lambda.send(invoke);
      assert.deepEqual(JSON.parse(Buffer.from(Payload ?? []).toString()), { batchItemFailures: [] });
    },
  },
  {
    name: 'a resource has the tags of its stage',
    needs: 'aws',
    run: async ({ account }) => {
      const { lambda, resource } = account;
      const { Tags = {} } = await lambda.send(
        new GetFunctionCommand({ FunctionName: resource('CreateCartCheckout') }),
      );
      assert.equal(Tags['service'], 'cart-checkout');
      assert.match(Tags['stage'] ?? '', /^check-/);
    },
  },
];
