import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lambda gives a function one processor at 1,769 MB, and less in proportion: "Configure Lambda function memory". */
export const CPU_SHARE = 0.58;

/** Short, so that the limit is as even as the kernel allows. */
const PERIOD_MICROS = 5_000;
const QUOTA_MICROS = CPU_SHARE * PERIOD_MICROS;

/** Where the CPU controller of cgroups is mounted, and the files that limit a group. */
const CONTROLLERS = [
  {
    root: '/sys/fs/cgroup/cpu',
    limits: { 'cpu.cfs_period_us': `${PERIOD_MICROS}`, 'cpu.cfs_quota_us': `${QUOTA_MICROS}` },
  },
  { root: '/sys/fs/cgroup', limits: { 'cpu.max': `${QUOTA_MICROS} ${PERIOD_MICROS}` } },
];

/**
 * Makes a control group that has {@link CPU_SHARE} of a processor, until this process exits.
 *
 * @returns the file to which a process writes its id to enter the group. `undefined` where this process may not make one
 */
export const createCpuLimit = (): string | undefined => {
  for (const { root, limits } of CONTROLLERS) {
    const folder = join(root, `cart-checkout-bench-${process.pid}`);
    try {
      mkdirSync(folder);
      process.once('exit', () => rmdirSync(folder));
      // An ordinary folder has none of these files: to create one would limit nothing.
      for (const [file, value] of Object.entries(limits))
        writeFileSync(join(folder, file), value, { flag: 'r+' });
      return join(folder, 'cgroup.procs');
    } catch {
      // The other controller, or none.
    }
  }
  return undefined;
};
