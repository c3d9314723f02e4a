import { createServer } from 'node:net';
import { expect, inject, it, onTestFinished } from 'vitest';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { createTransport } from '../../../lib/aws/transport.ts';
import { INTENDED_DIFFERENCES } from '../../tools/differential/intended-differences.ts';
import { runDifferential } from '../../tools/differential/run.ts';
import { responseBytes } from '../../tools/differential/wire-request.ts';
import { startWireTap } from '../../tools/differential/wire-tap.ts';

// `npm run test:differential` makes more calls. This seed shows every intended difference in few of them.
it('the lean client differs from the SDK’s only as intended, in generated calls', async () => {
  const { tally, difference } = await runDifferential({
    database: inject('dynamodbEndpoint'),
    calls: 100,
    seed: 100,
    sequencesPerSeed: 4,
    // The time limit of the test is shorter: on a slow machine, the run makes all its calls too.
    endsAtMs: Date.now() + 3_600_000,
  });
  expect(difference).toBeUndefined();
  expect(tally.calls).toBeGreaterThanOrEqual(100);
  expect([...tally.intended].toSorted()).toStrictEqual(Object.keys(INTENDED_DIFFERENCES).toSorted());
});

it('no client sees that the database closes an idle connection', async () => {
  let connections = 0;
  const database = createServer((socket) => {
    connections += 1;
    socket.once('data', () => {
      socket.write(responseBytes(200, { 'content-length': '2' }, Buffer.from('{}')));
      // The database closes the connection before it reads a second request.
      socket.once('data', () => socket.destroy());
    });
  });
  const tap = await startWireTap(new URL(`http://127.0.0.1:${await listen(database, '127.0.0.1', 0)}`));
  onTestFinished(async () => {
    await tap.close();
    database.close();
  });
  const transport = createTransport(30_000);
  const endpoint = new URL(`http://127.0.0.1:${tap.port}`);
  const send = () =>
    transport.send({ endpoint, method: 'POST', headers: ['host', 'x', 'content-length', '0'], body: '' });
  expect([(await send()).body, (await send()).body, connections]).toStrictEqual(['{}', '{}', 2]);
});
