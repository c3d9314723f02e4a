// One environment of a function, as Lambda runs it: init with the whole machine, then requests with the processor limited.
// JavaScript, because Node.js would load a compiler for TypeScript into the measured process.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * @typedef {import('./first-request.ts').SampleInput} SampleInput
 * @typedef {import('./first-request.ts').Duration} Duration
 */

/** More than the quota of a period. Otherwise, a request would start with an unused quota. */
const SPENT_CPU_MS = 10;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** @type {(run: () => Promise<unknown>) => Promise<Duration>} */
const timed = async (run) => {
  const startedCpuMs = cpuMs();
  const startedAtMs = performance.now();
  await run();
  const ms = performance.now() - startedAtMs;
  return { ms, cpuMs: cpuMs() - startedCpuMs };
};

const spendQuota = () => {
  const untilCpuMs = cpuMs() + SPENT_CPU_MS;
  while (cpuMs() < untilCpuMs);
};

/** @type {SampleInput} */
const { file, event, requests, cpuLimit, isWarmedUp } = JSON.parse(readFileSync(0, 'utf8'));
const context = { getRemainingTimeInMillis: () => 6_000 };
/** @type {(event: unknown, context: unknown) => Promise<{ statusCode: number, body: string }>} */
let handler;

/** @type {(parsed: unknown) => Promise<void>} */
const respond = async (parsed) => {
  const { statusCode, body } = await handler(parsed, context);
  if (statusCode > 299) throw new Error(`The function responded with ${statusCode}: ${body}`);
};

// The functions of the measurement itself are compiled before it.
await timed(async () => undefined);
// As Lambda loads them: it imports an ES module, and requires any other file.
const require = createRequire(file);
const init = await timed(async () => {
  const loaded = file.endsWith('.mjs') ? await import(file) : require(file);
  ({ handler } = loaded);
  if (isWarmedUp) await loaded.warmUp();
});
if (cpuLimit) writeFileSync(cpuLimit, String(process.pid), { flag: 'r+' });
/** @type {Duration[]} */
const responses = [];
for (let index = 0; index < requests; index += 1) {
  // The middlewares change it.
  const parsed = JSON.parse(event);
  if (cpuLimit) spendQuota();
  responses.push(await timed(() => respond(parsed)));
}
process.stdout.write(`\n${JSON.stringify({ init, responses })}`, () => process.exit());
