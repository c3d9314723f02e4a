import type { TestProject } from 'vitest/node';
import { startEmbeddedDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { createLogFolder, inspectLogFiles, removeLogFolder } from './log-files.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the embedded DynamoDB that all test files share. */
    dynamodbEndpoint: string;
  }
}

/** One embedded DynamoDB for the whole run; afterwards, a search of everything that was logged. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  createLogFolder();
  const database = await startEmbeddedDynamodb({ data: 'memory' });
  project.provide('dynamodbEndpoint', database.endpoint);
  return async () => {
    await database.close();
    const { lines, leaks } = inspectLogFiles();
    removeLogFolder();
    if (leaks.length > 0) {
      process.exitCode = 1;
      throw new Error(
        `${leaks.length} of ${lines} log lines hold what no log may hold:\n${leaks.slice(0, 10).join('\n')}`,
      );
    }
    process.stdout.write(`${lines} log lines searched: no API key, e-mail address, name or phone number\n`);
  };
};
