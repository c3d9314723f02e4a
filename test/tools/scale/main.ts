import { Command } from 'commander';
import { BRANCH, PRODUCTION, synthesise } from '../../infra/stack/template.ts';
import { runTool } from '../run-tool.ts';
import { costBlocks } from './cost-blocks.ts';
import { heldTable } from './held-executions.ts';
import { idleCosts, idleTotal } from './idle-costs.ts';
import { scaleBlocks } from './tables.ts';

const program = new Command('npm run scale --').description(
  'Computes the costs of requests and of the synthesised stages, and the use of quotas.',
);

await runTool(program, async () => {
  const { template: production } = synthesise(PRODUCTION);
  const { template: branch } = synthesise(BRANCH);
  const blocks = {
    ...costBlocks(production, branch),
    ...scaleBlocks(idleTotal(idleCosts(production))),
    executions: heldTable(production),
  };
  process.stdout.write(`${Object.values(blocks).join('\n\n')}\n`);
});
