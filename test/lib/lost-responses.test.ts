import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isWrite } from '../support/database/consumed-units.ts';
import { givenDatabase } from '../support/database/database.ts';
import { startDynamodbProxy } from '../support/database/dynamodb-proxy.ts';
import { createTestClient } from '../support/database/test-client.ts';
import { USES } from './uses-of-writes.ts';

/** `restore events` writes without a condition. */
const TRIED_ELSEWHERE = ['infra/operate/restore/events.ts', 'infra/operate/restore/copy-back.ts'];

/** The files of the service and of the operators' commands that write to DynamoDB. */
const WRITERS = globSync(['lib/**/*.ts', 'functions/**/*.ts', 'infra/operate/**/*.ts']).filter((file) =>
  /new (?:Put|Update|Delete|BatchWrite|TransactWrite)(?:Item)?Command\(/.test(readFileSync(file, 'utf8')),
);

describe('a write whose response is lost', () => {
  it('is tried for every file that writes', () => {
    const tried = Object.values(USES).flatMap(({ files }) => files);
    expect(new Set([...tried, ...TRIED_ELSEWHERE])).toStrictEqual(new Set(WRITERS));
  });

  it.each(Object.entries(USES))('keeps the result of %s', async (_, { run }) => {
    const database = await givenDatabase();
    const proxy = await startDynamodbProxy(database.endpoint);
    onTestFinished(() => proxy.close());
    let lost = 0;
    const runAndLose = async (nth: number) => {
      let writes = 0;
      proxy.setFault({
        fateOf: (call) => {
          if (!isWrite(call)) return 'forwarded';
          writes += 1;
          if (writes !== nth) return 'forwarded';
          lost += 1;
          return 'lost';
        },
      });
      const documents = createTestClient(proxy.endpoint);
      return { result: await run({ ...database, documents }), writes };
    };
    const { result, writes } = await runAndLose(0);
    for (let nth = 1; nth <= writes; nth += 1) {
      expect((await runAndLose(nth)).result, `of write ${nth}`).toStrictEqual(result);
    }
    expect(lost).toBe(writes);
  });
});
