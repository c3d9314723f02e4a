// The local stage with a clock that the parent process sets by messages: see `setClock`.
import type { ClockSetting } from './stage-process.ts';

/** The variable with the `offsetMs` of a clock from the start. */
const CLOCK_OFFSET_VARIABLE = 'CLOCK_OFFSET_MS';

const machineNow = Date.now;
let clock: ClockSetting = { offsetMs: Number(process.env[CLOCK_OFFSET_VARIABLE] ?? 0) };

Date.now = () => ('standsAtMs' in clock ? clock.standsAtMs : machineNow() + clock.offsetMs);

process.on('message', (setting: ClockSetting) => {
  clock = setting;
  process.send?.(setting);
});
// The stage ends if the test process dies.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

// The modules of the service read `Date.now` when they are loaded.
const { TIMES_MS } = await import('../../../infra/local/aws/event-paths.ts');
// With the usual pauses of 2 and 3 s, a stage that no test uses would take 2 % of a core. `expect.poll` waits for 60 s.
Object.assign(TIMES_MS, { sweep: 20_000, runTimers: 20_000 });
await import('../../../infra/local/main.ts');
