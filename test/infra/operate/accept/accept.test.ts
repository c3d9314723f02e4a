import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';

const stage = await givenOperatedService();
const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-accept-'));

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stage.close();
});

test.each([0, 1])(
  'accept revokes its keys, and DynamoDB deletes them a week later, also if the suite exits with %i',
  async (suiteExitCode) => {
    // The suite is a process.
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\nexit ${suiteExitCode}\n`, { mode: 0o755 });
    stage.clock.advance(1);
    const environment = { PATH: `${folder}${delimiter}${process.env['PATH']}` };
    const flags = ['accept', '--base-url', 'https://api.example.com/one'];
    expect((await stage.run(flags, { environment })).exitCode).toBe(suiteExitCode);

    const { Items = [] } = await stage.documents.send(
      new ScanCommand({ TableName: stage.tableNames.apiKeys }),
    );
    const revokedAtMs = stage.clock.now();
    const own = Items.filter(({ revokedAtMs: at }) => at === revokedAtMs);
    expect(own).toHaveLength(3);
    for (const { deleteAtSeconds } of own) {
      expect(deleteAtSeconds).toBe(Math.ceil(revokedAtMs / 1_000) + 7 * 86_400);
    }
  },
);
