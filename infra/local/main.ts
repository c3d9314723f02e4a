import { runCommandLine } from '../terminal/command-line.ts';
import { localStageProgram } from './program.ts';

await runCommandLine(localStageProgram());
