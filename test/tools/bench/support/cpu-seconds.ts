import { execFileSync } from 'node:child_process';

/** The processor time that a process has used, in seconds. */
export const cpuSeconds = (processId: number): number => {
  // `mm:ss.cc` on macOS, `hh:mm:ss` on Linux
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(processId)], { encoding: 'utf8' });
  return time
    .trim()
    .split(':')
    .reduce((seconds, part) => 60 * seconds + Number(part), 0);
};
