import type { TableKind } from '../../../lib/database/tables.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { define } from '../frame/command.ts';
import { flag, optional, required } from '../frame/parameter.ts';
import { choice, ID, TIME } from '../frame/value-types.ts';
import { CART_ID } from '../shared/cart-values.ts';

/**
 * The tables that `restore items` can copy back, by their names in the stack. Each lists the commands that end its items for
 * good, with the field of the audit record that names the items. `--all` may replace items only in a table without such
 * commands. Other tables are excluded:
 *
 * - `erasures`: a restore would forget erasures.
 * - `events` and `deliveries`: each restored event would be sent again, under a number that readers have passed.
 *   `restore events` prepares a whole copy of `Events` instead.
 */
export const ENDINGS = {
  Carts: {},
  TestCarts: {},
  Products: {},
  Stores: {},
  ApiKeys: { 'keys revoke': 'keyId', 'keys rotate': 'keyId', 'canary setup': 'oldKeyId', accept: 'keyIds' },
  WebhookEndpoints: { 'webhooks remove': 'endpointId' },
  Secrets: { 'webhooks remove': 'endpointId', 'webhooks rotate': 'endpointId' },
} satisfies Partial<Record<Capitalize<TableKind>, Readonly<Record<string, string>>>>;

export type RestorableTable = keyof typeof ENDINGS;

const TABLES = Object.keys(ENDINGS) as RestorableTable[];

/** Whether `--all` may replace items of a table. Otherwise, it would undo revocations, limits or rotations. */
export const mayReplace = (table: RestorableTable): boolean => Object.keys(ENDINGS[table]).length === 0;

/** Whether a table has carts, and the claims of their payments. */
export const hasCarts = (table: RestorableTable): boolean => table === 'Carts' || table === 'TestCarts';

export const RESTORE = {
  items: define(
    {
      summary: 'copy lost items of a table back from a time in the past',
      options: {
        table: required(choice('name', TABLES), 'the table, as the stack names it'),
        at: required(TIME, 'the time in the past, just before the loss'),
        from: required({ ...ID, placeholder: 'table' }, 'the restored table, with the state at that time'),
        cart: optional(CART_ID, 'only this cart of Carts or TestCarts, with the claims of its payments'),
        all: flag('also replace items that differ'),
        dryRun: flag('compare and count, and copy nothing'),
      },
      asks: true,
      audits:
        'table at from cartId mode items same missing different unerased stays ended expired malformed copied erasedAgain overtaken',
      json: 'table at from cartId? dryRun? items same missing different unerased stays ended expired malformed copied erasedAgain overtaken',
      example:
        'restore items --table Carts --at 2026-11-20T14:00:00Z --from carts-restored --stage prod --dry-run',
      notes: `\
--from names the table that DynamoDB restored. If it does not exist, the command prints the AWS command that creates it.
Otherwise, it compares this table with the live one, and copies back the items that the live table lacks. It deletes nothing.

It never undoes a payment, an erasure, a revocation, a removed endpoint or a rotated secret. Items past their time to live
do not come back. It sends no event. It asks for each table but TestCarts. If it is interrupted, repeat the same command.
The comparison takes about two read units per cart and one per other item, at most 1,200 items a second. docs/recover.md,
"Restore", has the procedure.`,
    },
    ({ table, cart, all }) => {
      if (cart !== undefined && !hasCarts(table)) {
        throw new UsageError('--cart needs --table Carts or --table TestCarts.');
      }
      if (all && !mayReplace(table)) {
        throw new UsageError(`--all would undo revocations, limits or rotations in ${table}: leave it out.`);
      }
    },
  ),
  events: define({
    summary: 'prepare a restored copy of the table Events, before it serves',
    options: { table: required({ ...ID, placeholder: 'table' }, 'the restored table') },
    scans: true,
    asks: true,
    audits: 'table logs startAfter',
    json: 'table logs startAfter',
    example: 'restore events --table events-restored --stage prod',
    notes: `\
A restored copy lacks the last events, which readers and webhooks may have seen. The command raises the counter of each log to the
present time in milliseconds, above all lost numbers. Readers with older cursors then get a 422, and learn that events are lost.
Readers without a cursor begin behind the gap. The command changes no event and sends none. A repetition is safe.
docs/recover.md, "A restored copy of Events", has the procedure.`,
  }),
};
