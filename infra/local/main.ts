import { runCommandLine } from '../command-line.ts';
import { localStageProgram } from './program.ts';

await runCommandLine(localStageProgram());
