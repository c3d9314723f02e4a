import { resolve } from 'node:path';

/**
 * The absolute path of a file or a folder that the caller named. `npm run` changes the working folder to that of the project, and
 * keeps the caller's in INIT_CWD: https://docs.npmjs.com/cli/commands/npm-run
 *
 * @param script the npm script that runs this program
 */
export const callersPath = (text: string, script: 'operate' | 'start'): string => {
  const { npm_lifecycle_event: running, INIT_CWD: callersFolder } = process.env;
  return resolve(running === script ? (callersFolder ?? '') : '', text);
};
