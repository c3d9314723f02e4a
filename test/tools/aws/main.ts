import { Command } from 'commander';
import { parseHttpUrl } from '../../../infra/terminal/command-line.ts';
import { shareCompiledModules } from '../../support/run/compile-cache.ts';
import { useTemporaryFolder } from '../../support/run/temporary-folder.ts';
import { runTool } from '../run-tool.ts';
import { checkNewStage, type Flags, NEVER_RUN } from './check-new-stage.ts';

const program = new Command('npm run test:aws --')
  .description('Checks on AWS what no emulator shows: deploys a stage, checks it and destroys it.')
  .option('--emulator', 'use an AWS emulator on this machine, and leave out what it does not check')
  .option('--receiver <url>', 'a public https address that responds with 2xx to webhooks', parseHttpUrl)
  .option('--yes', 'do not ask before the deployment')
  .addHelpText('after', `\n${NEVER_RUN} docs/operate.md, "Check an account", explains it.`);

await runTool(program, async (cleanUp, flags: Flags) => {
  useTemporaryFolder();
  shareCompiledModules();
  const { report, hasPassed } = await checkNewStage(cleanUp, flags);
  console.log(`\n${report}`);
  return hasPassed;
});
