// Practice for people on call, with the runbook alone. `npm run test:tour` proves that each fault exists, and that the runbook's
// commands mend it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, Command } from 'commander';
import { COUNT } from '../../../infra/operate/frame/value-types.ts';
import { counted } from '../../../infra/terminal/counted.ts';
import { OperatorError } from '../../../infra/terminal/operator-error.ts';
import { runTool } from '../run-tool.ts';
import { endingOf, untilEnter } from './ending.ts';
import type { StartedFault } from './fault.ts';
import { FAULTS } from './faults.ts';
import { type GameStage, startGameStage, STORE } from './stage.ts';

interface Flags {
  readonly minutes: number;
  readonly rehearse?: true;
}

const CHECK_EACH_MS = 2_000;

/** A rehearsal mends the fault itself. A delivery takes seconds. */
const REHEARSAL_SECONDS = 120;

const startCommand = ({ baseUrl, dataFile, logFile }: GameStage): string =>
  `npm start -- --json --no-receiver --port ${new URL(baseUrl).port} --data ${dataFile} 2>> ${logFile}`;

const localSurroundings = (stage: GameStage): readonly string[] => [
  `- The stage is a local one, at ${stage.baseUrl}. In the commands, write`,
  `    --dynamodb ${stage.dynamodbEndpoint}`,
  '  instead of --stage {stage}.',
  '- Its log takes the place of the queries:',
  `    ${stage.logFile}`,
  '- It was started by:',
  `    ${startCommand(stage)}`,
];

const instructions = (stage: GameStage, fault: StartedFault, minutes: number): string => `
You are on call. A merchant writes:

  From: ${STORE}
${fault.report.map((line) => `  ${line}`).join('\n')}

How to play:

- Use docs/runbook.md and the commands that it names, and no code. Begin with "Find the section".
- The merchant works in live mode.
${(fault.surroundings ?? localSurroundings(stage)).join('\n')}
- Work in a second terminal, and leave this one open. The game says here when the fault is mended, or when
  ${counted(minutes, 'minute')} are over. The stage then stays until you press Enter, so that you can try "Over when".
- Ctrl-C ends the game before, and removes the stage with its data.
- Write down what you stumble on.
`;

/** Checks until the fault is mended. Returns whether it is. */
const watch = async ({ isMended }: StartedFault, seconds: number): Promise<boolean> => {
  const endMs = Date.now() + seconds * 1_000;
  while (Date.now() < endMs) {
    if (await isMended()) return true;
    await sleep(CHECK_EACH_MS);
  }
  return false;
};

const rehearse = async (number: string, fault: StartedFault): Promise<void> => {
  if (await fault.isMended()) throw new OperatorError(`The fault ${number} does not exist.`);
  await fault.mend();
  if (!(await watch(fault, REHEARSAL_SECONDS))) throw new OperatorError(`The fault ${number} is not mended.`);
  console.log(`Fault ${number}: it exists, and the runbook's section ${fault.section} mends it.`);
};

const play = async (stage: GameStage, fault: StartedFault, minutes: number): Promise<void> => {
  console.log(instructions(stage, fault, minutes));
  // Discards what the player types before the end.
  process.stdin.resume();
  const startedMs = Date.now();
  const isMended = await watch(fault, minutes * 60);
  const played = isMended ? Math.ceil((Date.now() - startedMs) / 60_000) : minutes;
  console.log(endingOf(fault.section, isMended, played));
  await untilEnter(process.stdin);
  if (!isMended) throw new OperatorError('The fault was not mended in time.');
};

const HELP = `
Examples:
  npm run game-day -- 1
  npm run game-day -- 1 --minutes 60
  npm run game-day -- 1 --rehearse

The game starts a local stage of its own, with a fault, and prints what a merchant reports. You mend it with
docs/runbook.md alone. At the end, the stage stays until you press Enter. The exit code is 0 if the fault is mended in time,
and 1 otherwise.`;

const program = new Command('npm run game-day --')
  .description('Plays a game day on a local stage: you are on call.')
  .addArgument(new Argument('<fault>', 'the number of the fault').choices(Object.keys(FAULTS)))
  .option('--minutes <number>', 'end the game after this time', (text) => COUNT.parse(text, 0), 30)
  .option('--rehearse', 'mend the fault at once, to check the game itself')
  .addHelpText('after', HELP);

await runTool(program, async (cleanUp, number: string, { minutes, rehearse: isRehearsal }: Flags) => {
  const stage = await startGameStage(cleanUp);
  const fault = await FAULTS[number]!(stage, cleanUp);
  await (isRehearsal ? rehearse(number, fault) : play(stage, fault, minutes));
});
