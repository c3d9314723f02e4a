// The local stage with a clock that the parent process sets by messages: see `setClock`.
import type { ClockSetting } from './stage.ts';

const machineNow = Date.now;
let clock: ClockSetting = { offsetMs: 0 };

Date.now = () => ('offsetMs' in clock ? machineNow() + clock.offsetMs : clock.standsAtMs);

process.on('message', (setting: ClockSetting) => {
  clock = setting;
  process.send?.(setting);
});
// The stage ends with a test process that dies.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

// After the change of `Date.now`, which the modules of the service read when they are loaded.
await import('../../infra/local/main.ts');
