import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import {
  deliveryRows,
  floodRows,
  unusedStageRows,
  loadRows,
  paymentRows,
  requestRows,
} from '../cost/cost-tables.ts';
import { alarmTable } from './blocks/alarm-block.ts';
import { boundTable } from './blocks/bound-block.ts';
import { exitCodeTable, renderReference } from './blocks/command-reference.ts';
import {
  attemptTable,
  errorTable,
  eventTypeSections,
  eventTypeTable,
  fieldTable,
  operationTable,
  statusTable,
} from './blocks/contract-blocks.ts';
import { actionTable, nextSteps, returnTable } from './blocks/guide-blocks.ts';
import { listings } from './blocks/listing-block.ts';
import { tableWithTotal, withBlocks } from './blocks/markdown.ts';
import {
  paymentCartExample,
  paymentCartTable,
  paymentTable,
  refundTable,
  returnUrlTable,
  sendCommand,
} from './blocks/payment-blocks.ts';
import { privacyTable } from './blocks/privacy-block.ts';
import { firstCall, groupedOperationTable, requirement, storeTable } from './blocks/readme-blocks.ts';
import {
  concurrencyTable,
  contextTable,
  backlogTable,
  functionTable,
  roleTable,
  tableTable,
} from './blocks/stage-blocks.ts';
import { concurrencyRows } from './capacity/concurrency-per-key.ts';
import { quotaRows } from './capacity/quotas.ts';
import { CLIENT_BLOCKS } from './clients/client-blocks.ts';
import { methodTable } from './clients/method-table.ts';

/**
 * The templates that the blocks read. Each is synthesised once, because this takes seconds. `production` and `branch` have the
 * smallest context, `full` has every option.
 */
interface Templates {
  readonly production: Template;
  readonly branch: Template;
  readonly full: Template;
}

/** Renders a block. */
type Block = (templates: Templates) => string;

/** The blocks of each document, by name. A new block needs a function, a row here, and two comments in the document. */
const BLOCKS: Readonly<Record<string, Readonly<Record<string, Block>>>> = {
  'README.md': {
    requirement,
    call: firstCall,
    operations: groupedOperationTable,
    stores: storeTable,
  },
  'CONTRIBUTING.md': { functions: functionTable, tables: tableTable },
  'docs/clients.md': { methods: () => methodTable() },
  'docs/commands.md': { commands: renderReference },
  'docs/contract.md': {
    operations: operationTable,
    lists: listings,
    request: fieldTable('CreateCartCheckoutRequest'),
    cart: fieldTable('RetrievedCart'),
    customer: fieldTable('CustomerInfo'),
    product: fieldTable('Product'),
    priceRange: fieldTable('PriceRange'),
    statuses: statusTable,
    errors: errorTable,
  },
  'docs/cost.md': {
    request: () => tableWithTotal(requestRows()),
    unused: ({ production, branch }) => tableWithTotal(unusedStageRows(production, branch)),
    flood: ({ production }) => tableWithTotal(floodRows(production)),
    payments: () => tableWithTotal(paymentRows()),
    deliveries: () => tableWithTotal(deliveryRows()),
  },
  'docs/event-types.md': { types: eventTypeSections },
  'docs/events.md': {
    types: eventTypeTable,
    fields: fieldTable('CartCompletedEvent'),
    attempts: attemptTable,
  },
  'docs/integrate.md': { statuses: returnTable, nextSteps, actions: actionTable },
  'docs/operate.md': {
    context: contextTable,
    alarms: ({ production, branch, full }) => alarmTable(production, branch, full),
    exitCodes: exitCodeTable,
    backlogs: backlogTable,
  },
  'docs/payments.md': {
    example: paymentCartExample,
    cart: paymentCartTable,
    addresses: returnUrlTable,
    payment: paymentTable,
    sendPayment: sendCommand,
    refund: refundTable,
  },
  'docs/performance.md': { bounds: boundTable },
  'docs/privacy.md': { tables: privacyTable },
  'docs/runbook.md': { concurrency: concurrencyTable },
  'docs/scale.md': {
    cost: ({ production }) => tableWithTotal(loadRows(production)),
    quotas: () => tableWithTotal(quotaRows()),
    executions: ({ production }) => tableWithTotal(concurrencyRows(production)),
  },
  'docs/security.md': { roles: ({ production }) => roleTable(production) },
  ...CLIENT_BLOCKS,
};

/** The paths of the documents with generated blocks. */
export const DOCUMENTS = Object.keys(BLOCKS);

/** A document with generated blocks: as it is, and as it should be. */
export const generateDocument = (
  path: string,
  templates: Templates,
): { readonly text: string; readonly generated: string } => {
  const text = readFileSync(path, 'utf8');
  const blocks = Object.entries(BLOCKS[path] ?? {}).map(([name, make]) => [name, make(templates)] as const);
  return { text, generated: withBlocks(text, Object.fromEntries(blocks)) };
};
