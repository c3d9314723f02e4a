import { execFileSync } from 'node:child_process';

/** The processor time that this process has used on all threads, in milliseconds. */
export const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The processor time that a process has used, in seconds. */
export const cpuSeconds = (processId: number): number => {
  // `mm:ss.cc` on macOS, `hh:mm:ss` on Linux
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(processId)], { encoding: 'utf8' });
  return time
    .trim()
    .split(':')
    .reduce((seconds, part) => 60 * seconds + Number(part), 0);
};
