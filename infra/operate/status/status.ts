import { counted } from '../../terminal/counted.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { checkTable, orUnknown, runChecks } from '../shared/findings.ts';
import { type Check, DEPLOYED_CHECKS, type State } from './checks.ts';
import type { STATUS } from './commands.ts';
import { QUEUE_CHECKS } from './queue-checks.ts';

/** The state of a part of a stage. A check that fails must not hide the others. */
const stateOf = async (check: Check, context: Context): Promise<State> => {
  try {
    return await orUnknown(check(context));
  } catch (error) {
    // A local stage has one server.
    if (context.stage.isLocal) throw error;
    const { explainFailure } = await import('../../terminal/explain-error.ts');
    const remark =
      error instanceof OperatorError ? error.message : await explainFailure(error, undefined, 'AWS');
    if (remark === undefined) throw error;
    return { result: 'unknown', remark };
  }
};

export const status: Action<typeof STATUS> = async (_, context) => {
  const { stage, stdout } = context;
  const checks = await runChecks({ ...(!stage.isLocal && DEPLOYED_CHECKS), ...QUEUE_CHECKS }, (check) =>
    stateOf(check, context),
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
