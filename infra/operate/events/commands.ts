import { define } from '../frame/command.ts';
import { required } from '../frame/parameter.ts';
import { ID } from '../frame/value-types.ts';

export const EVENTS = {
  resume: define({
    summary: 'prepare a restored copy of the table Events, before it serves',
    options: { table: required({ ...ID, placeholder: 'table' }, 'the restored table') },
    scans: true,
    asks: true,
    audits: 'table logs startAfter',
    json: 'table logs startAfter',
    example: 'events resume --table events-restored --stage prod',
    notes: `\
A restored copy lacks the last events, which readers and webhooks may have seen. The command raises the counter of each log to the
present time in milliseconds, above all lost numbers. Readers with older cursors then get a 422, and learn that events are lost.
Readers without a cursor begin behind the gap. The command changes no event and sends none. A repetition is safe.
docs/recover.md, "A restored copy of Events", has the procedure.`,
  }),
};
