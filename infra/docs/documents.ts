import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { concurrencyRows } from '../capacity/concurrency-per-key.ts';
import { quotaRows } from '../capacity/quotas.ts';
import { costTables, loadRows } from '../cost/cost-tables.ts';
import { alarmTable } from './blocks/alarm-block.ts';
import { boundTable } from './blocks/bound-block.ts';
import { exitCodeTable, renderReference } from './blocks/command-reference.ts';
import { contractBlocks, eventBlocks, eventTypeSections } from './blocks/contract-blocks.ts';
import { guideBlocks } from './blocks/guide-blocks.ts';
import { bold, table, withBlocks } from './blocks/markdown.ts';
import { paymentCartBlocks, paymentEventBlocks } from './blocks/payment-blocks.ts';
import { privacyTable } from './blocks/privacy-block.ts';
import { readmeBlocks } from './blocks/readme-blocks.ts';
import {
  concurrencyTable,
  contextTable,
  backlogTable,
  functionTable,
  roleTable,
  tableTable,
} from './blocks/stage-blocks.ts';
import { CLIENT_BLOCKS } from './clients/client-blocks.ts';
import { methodTable } from './clients/method-table.ts';

/** The templates of the stages: with the smallest context, and with every option. */
export interface Templates {
  readonly production: Template;
  readonly branch: Template;
  readonly full: Template;
}

type Blocks = Readonly<Record<string, string>>;

const withBoldTotal = (row: readonly string[]): readonly string[] =>
  row[0] === 'Total' ? row.map((cell) => cell && bold(cell)) : row;

/** Formats tables. Their sums are in bold. */
const tables = (rowsOf: Readonly<Record<string, readonly (readonly string[])[]>>): Blocks =>
  Object.fromEntries(Object.entries(rowsOf).map(([name, rows]) => [name, table(rows.map(withBoldTotal))]));

/** The blocks of each document, by their names. A synthesis takes seconds, so only some depend on it. */
const BLOCKS: Readonly<Record<string, (templates: () => Templates) => Blocks>> = {
  'README.md': readmeBlocks,
  'CONTRIBUTING.md': () => ({ functions: functionTable(), tables: tableTable() }),
  'docs/clients.md': () => ({ methods: methodTable() }),
  'docs/commands.md': () => ({ commands: renderReference() }),
  'docs/contract.md': contractBlocks,
  'docs/event-types.md': () => ({ types: eventTypeSections() }),
  'docs/events.md': eventBlocks,
  'docs/integrate.md': guideBlocks,
  'docs/payments.md': () => ({ ...paymentCartBlocks(), ...paymentEventBlocks() }),
  'docs/privacy.md': () => ({ tables: privacyTable() }),
  'docs/security.md': (templates) => ({ roles: roleTable(templates().production) }),
  'docs/runbook.md': () => ({ concurrency: concurrencyTable() }),
  'docs/operate.md': (templates) => {
    const { production, branch, full } = templates();
    const alarms = alarmTable(production, branch, full);
    return { context: contextTable(), alarms, exitCodes: exitCodeTable(), backlogs: backlogTable() };
  },
  'docs/cost.md': (templates) => tables(costTables(templates().production, templates().branch)),
  'docs/performance.md': () => ({ bounds: boundTable() }),
  ...CLIENT_BLOCKS,
  'docs/scale.md': (templates) => {
    const { production } = templates();
    return tables({
      cost: loadRows(production),
      quotas: quotaRows(),
      executions: concurrencyRows(production),
    });
  },
};

/** The paths of the documents with generated blocks. */
export const DOCUMENTS = Object.keys(BLOCKS);

/** A document with generated blocks: as it is, and as it should be. */
export const generateDocument = (
  path: string,
  templates: () => Templates,
): { readonly text: string; readonly generated: string } => {
  const text = readFileSync(path, 'utf8');
  return { text, generated: withBlocks(text, BLOCKS[path]?.(templates) ?? {}) };
};
