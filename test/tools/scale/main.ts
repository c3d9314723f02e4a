import { Command } from 'commander';
import { BRANCH, PRODUCTION, synthesise } from '../../infra/stack/template.ts';
import { runTool } from '../run-tool.ts';
import { alignRows } from '../bench/support/report.ts';
import { costTables } from './cost-tables.ts';
import { heldTable } from './held-executions.ts';
import { idleCosts, idleTotal } from './idle-costs.ts';
import { scaleBlocks } from './tables.ts';

const program = new Command('npm run scale --').description(
  'Computes the costs of requests and of the synthesised stages, and the use of quotas.',
);

await runTool(program, async () => {
  const { template: production } = synthesise(PRODUCTION);
  const { template: branch } = synthesise(BRANCH);
  const tables = [...Object.values(costTables(production, branch)), heldTable(production)];
  const texts = [
    ...tables.map((rows) => alignRows(rows).join('\n')),
    ...Object.values(scaleBlocks(idleTotal(idleCosts(production)))),
  ];
  process.stdout.write(`${texts.join('\n\n')}\n`);
});
