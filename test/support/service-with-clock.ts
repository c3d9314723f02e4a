// The local stage with a clock that the parent process sets by messages: see `setClock`.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { ClockSetting } from './stage.ts';

/** The variable with the `offsetMs` of a clock from the start. */
const CLOCK_OFFSET_VARIABLE = 'CLOCK_OFFSET_MS';

const machineNow = Date.now;
const offset = process.env[CLOCK_OFFSET_VARIABLE];
// Without an offset it stands until the first message, so that the service finds no difference between its clocks.
let clock: ClockSetting = offset === undefined ? { standsAtMs: machineNow() } : { offsetMs: Number(offset) };

const trueNow = (): number => ('standsAtMs' in clock ? clock.standsAtMs : machineNow() + clock.offsetMs);

Date.now = () => trueNow() + ('skewMs' in clock ? (clock.skewMs ?? 0) : 0);
performance.now = trueNow;
// The database has the true time too. Otherwise the stage would correct its clock by the machine's.
subscribe('http.client.response.finish', (message) => {
  const { response } = message as { readonly response: IncomingMessage };
  response.headers.date = new Date(trueNow()).toUTCString();
});

process.on('message', (setting: ClockSetting) => {
  clock = setting;
  process.send?.(setting);
});
// The stage ends if the test process dies.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

// The modules of the service read `Date.now` when they are loaded.
await import('../../infra/local/main.ts');
