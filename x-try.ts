import { startEmbeddedDynamodb } from './infra/local/embedded-dynamodb.ts';
import { runDifferential } from './test/tools/differential/run.ts';
const db = await startEmbeddedDynamodb({ data: 'memory' });
const t = performance.now();
const { tally, difference } = await runDifferential({ database: db.endpoint, calls: Number(process.argv[2] ?? 300), seed: Number(process.argv[3] ?? 1), endsAtMs: Date.now() + 300_000 });
console.log(difference, tally.calls, [...tally.commands].length, [...tally.errors].sort((a, b) => b[1] - a[1]), [...tally.intended], Math.round(performance.now() - t), 'ms', process.cpuUsage());
await db.close();
