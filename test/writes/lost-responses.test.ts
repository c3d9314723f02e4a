import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { givenDatabase } from '../support/database/database.ts';
import { loseResponsesIf } from '../support/database/lose-responses.ts';
import { USES } from './uses.ts';

/** `restore events` writes without a condition. `restore-one-cart.test.ts` loses the response of a copy. */
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

  // At the same time, because the SDK pauses before each retry.
  it.concurrent.each(Object.entries(USES))('keeps the result of %s', async (_, { run }) => {
    const database = await givenDatabase();
    let writes = 0;
    let lostOne = 0;
    let lost = 0;
    loseResponsesIf(database.documents, () => {
      writes += 1;
      if (writes !== lostOne) return false;
      lost += 1;
      return true;
    });
    const runAndLose = async (nth: number) => {
      writes = 0;
      lostOne = nth;
      return run(database);
    };
    const result = await runAndLose(0);
    const writesOfRun = writes;
    for (let nth = 1; nth <= writesOfRun; nth += 1) {
      expect(await runAndLose(nth), `of write ${nth}`).toStrictEqual(result);
    }
    expect(lost).toBe(writesOfRun);
  });
});
