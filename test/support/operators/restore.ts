import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { prepareTable } from '../../../infra/local/database/prepare-table.ts';
import { TABLES } from '../../../infra/stage/tables.ts';
import type { TableKind } from '../../../lib/database/tables.ts';
import type { Ended } from '../programs/processes.ts';
import type { DeployedOptions, OperatedService } from './deployed-stage.ts';
import { withDefaults } from './with-defaults.ts';

/** The line of JSON of a restore. */
export type RestoreCounts = Readonly<Record<string, unknown>>;

/** Restores of the tables of a stage, to an hour ago. */
export const givenRestores = (stage: OperatedService) => {
  const at = new Date(stage.clock.now() - 3_600_000).toISOString();
  const restore = (flags: readonly string[], options?: DeployedOptions): Promise<Ended> =>
    stage.run(['restore', 'items', ...withDefaults({ '--table': 'Carts', '--at': at }, flags)], options);
  return {
    at,
    /** Restores the table `Carts`, unless the flags name another. */
    restore,
    /** Restores, and returns the line of JSON. */
    restoreJson: async (...flags: readonly string[]): Promise<RestoreCounts> => {
      const { exitCode, stdout, stderr } = await restore([...flags, '--yes', '--json']);
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 0,
        stderr: expect.stringMatching(/Besides its scan[^]*Scans at most about/),
      });
      return JSON.parse(stdout) as RestoreCounts;
    },
    /** Creates an empty restored table, with the key of a table of the stage. Like DynamoDB's, it has no TTL. */
    givenRestored: async (kind: TableKind = 'carts', name: string = randomUUID()): Promise<string> => {
      const { ttlAttribute: _, ...definition } = { ttlAttribute: undefined, ...TABLES[kind] };
      await prepareTable(stage.documents, name, definition);
      return name;
    },
    put: (TableName: string, Item: Record<string, unknown>): Promise<unknown> =>
      stage.documents.send(new PutCommand({ TableName, Item })),
    find: async (TableName: string, Key: Record<string, string>) =>
      (await stage.documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item,
  };
};
