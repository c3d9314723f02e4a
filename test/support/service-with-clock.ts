// The local stage, whose clock its parent process sets by IPC messages; see `setClock`.
import type { ClockSetting } from './stage.ts';

const machineNow = Date.now;
let clock: ClockSetting = { offsetMs: 0 };

Date.now = () => ('offsetMs' in clock ? machineNow() + clock.offsetMs : clock.standsAtMs);

process.on('message', (setting: ClockSetting) => {
  clock = setting;
  process.send?.(setting);
});
// A test process that dies cannot stop its stages any more.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

// Only now, because the modules of the service take `Date.now` when they are loaded.
await import('../../infra/local/main.ts');
