import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { BRANCH, PRODUCTION, synthesise } from '../../infra/stack/template.ts';
import { runTool } from '../run-tool.ts';
import { documentsOf } from './documents.ts';

const program = new Command('npm run scale --')
  .description('Computes the costs of requests and of the synthesised stages, and the use of quotas.')
  .option('--write', 'also update the tables in docs/cost.md and docs/scale.md', false);

await runTool(program, async (_cleanUp, { write }: { write: boolean }) => {
  const { template: production } = synthesise(PRODUCTION);
  const { template: branch } = synthesise(BRANCH);
  for (const { path, blocks, generated } of documentsOf({ production, branch })) {
    process.stdout.write(`${Object.values(blocks).join('\n\n')}\n\n`);
    if (write) writeFileSync(path, generated);
  }
});
