import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** A process of this machine that the user may see. */
export interface MachineProcess {
  readonly processId: number;
  readonly parentId: number;
  /** Its arguments, separated by spaces, beginning with the program's name. */
  readonly command: string;
}

/** Lists the processes of this machine. The list is empty if the platform provides none. */
export const listProcesses = async (): Promise<readonly MachineProcess[]> =>
  // Small images of Linux have no `ps`.
  process.platform === 'linux' ? readProcFolder() : listByPs();

const readProcFolder = (): MachineProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const [, parentId] = / \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
        return [{ processId: Number(name), parentId: Number(parentId), command }];
      } catch {
        // The process has ended.
        return [];
      }
    });

const listByPs = async (): Promise<MachineProcess[]> => {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,ppid=,command='], {
      maxBuffer: 64 * 1_024 * 1_024,
    });
    return stdout.split('\n').flatMap((line) => {
      const [, processId, parentId, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*?)\s*$/.exec(line) ?? [];
      return processId === undefined
        ? []
        : [{ processId: Number(processId), parentId: Number(parentId), command }];
    });
  } catch {
    return [];
  }
};
