import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local-access/local-names.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { TABLES } from '../../../../infra/stage/tables.ts';
import { OperatorError } from '../../../../infra/terminal/operator-error.ts';
import { createDocumentClient } from '../../../../lib/aws/clients.ts';
import type { Fault } from '../fault.ts';

/** The copy that stands in for a restored table: only DynamoDB on AWS restores. */
const RESTORED = 'carts-restored';

const BUYER = 'ada@example.com';

/** Copies the table `Carts` as it is now. Returns the ids of its carts and claims. */
const copyTable = async (documents: DynamoDBDocumentClient): Promise<readonly string[]> => {
  await prepareTable(documents, RESTORED, TABLES.carts);
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: LOCAL_TABLE_NAMES.carts }));
  for (const Item of Items) await documents.send(new PutCommand({ TableName: RESTORED, Item }));
  return Items.map(({ id }) => String(id));
};

/** A script has deleted carts by hand. Since the restored state, one buyer was erased, and one cart that is left was paid. */
export const deletedCarts: Fault = async (stage, cleanUp) => {
  const documents = createDocumentClient(localClientConfig(stage.dynamodbEndpoint));
  cleanUp.defer(() => documents.destroy());
  const apiKey = await stage.issueKey();
  const paid = [await stage.paidOrder(apiKey), await stage.paidOrder(apiKey)];
  const { cartId: paidSince } = await stage.order(apiKey);
  const lost = await copyTable(documents);
  const at = new Date().toISOString();
  await stage.operate('payments', 'send', '--cart', paidSince, '--result', 'succeeded', '--yes');
  await stage.operate('buyers', 'erase', '--email', BUYER, '--yes');
  for (const id of lost.filter((each) => each !== paidSince))
    await documents.send(new DeleteCommand({ TableName: LOCAL_TABLE_NAMES.carts, Key: { id } }));
  return {
    section: 'Deleted carts',
    report: [
      'You say that you do not know these orders. Our buyers have paid them:',
      ...paid,
      `(A colleague ran a script that deleted items of the table Carts after ${at}.`,
      ` The table ${RESTORED} has the state of that time. Since then, a buyer has asked for the erasure of her data.)`,
    ],
    isMended: async () => {
      const carts = [...paid, paidSince].map((cartId) => stage.getCart(cartId, apiKey));
      const found = (await Promise.all(carts)).map(({ body }) => body);
      if (found.some(({ customerInfo }) => Object.keys(customerInfo ?? {}).length > 0))
        throw new OperatorError('The data of an erased buyer is back.');
      return found.every(({ status }) => status === 'completed');
    },
    mend: () =>
      stage.operate('restore', 'items', '--table', 'Carts', '--at', at, '--from', RESTORED, '--yes'),
  };
};
