import { define } from '../frame/command.ts';
import { defaulting, optional } from '../frame/parameter.ts';
import { anyText, COUNT, TIME } from '../frame/value-types.ts';

export const AUDIT = {
  list: define({
    summary: "list the operators' changes of a deployed stage, the newest first",
    options: {
      since: defaulting(TIME, '7d', 'only changes since then'),
      command: optional(anyText('words'), "only changes of a command, such as 'keys revoke', or of a group"),
      limit: defaulting(COUNT, '100', 'the most changes to list'),
    },
    stage: 'deployed',
    json: 'changes(changeId at caller command ids outcome result?) omitted',
    example: "audit list --command 'keys revoke' --since 24h --stage prod",
    notes: `\
Outcomes: "done": the change is complete. "failed": the command may have made a part of the change. "begun": the command
still runs, or its process died.
CloudWatch Logs shows a new record after some seconds.`,
  }),
};
