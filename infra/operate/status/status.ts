import { counted } from '../../terminal/counted.ts';
import type { Action } from '../frame/command.ts';
import { checkTable, orReason, runChecks } from '../shared/findings.ts';
import { DEPLOYED_CHECKS } from './checks.ts';
import type { STATUS } from './commands.ts';
import { QUEUE_CHECKS } from './queue-checks.ts';

export const status: Action<typeof STATUS> = async (_, context) => {
  const { stage, stdout } = context;
  const checks = await runChecks({ ...(!stage.isLocal && DEPLOYED_CHECKS), ...QUEUE_CHECKS }, (check) =>
    // A local stage has one server: what fails once fails for all checks.
    stage.isLocal ? check(context) : orReason(check(context)),
  );
  const open = checks.filter(({ result }) => result !== 'ok').length;
  return {
    json: { stage: stage.name, checks },
    lines: [
      ...checkTable(stdout, checks),
      ...(stage.isLocal ? ['A local stage has no stack, alarms or certificate.'] : []),
    ],
    failure: open === 0 ? undefined : `The stage ${stage.name} needs a person: ${counted(open, 'check')}.`,
  };
};
