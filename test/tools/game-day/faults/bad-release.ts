import { rmSync } from 'node:fs';
import { OperatorError } from '../../../../infra/terminal/operator-error.ts';
import { givenBadRelease } from '../../../support/deploy/bad-release.ts';
import { startEmulator } from '../../../support/deploy/emulator.ts';
import type { Fault } from '../fault.ts';

/** The last release of a deployed stage has a defect. */
export const badRelease: Fault = async (_stage, cleanUp) => {
  const emulator = await startEmulator();
  cleanUp.defer(() => emulator.stop());
  const game = await givenBadRelease(emulator.endpoint);
  const { env, folders, before, waitingCart } = game;
  cleanUp.defer(() => rmSync(folders.all, { recursive: true, force: true }));
  const variables = Object.entries(env).filter(([name]) => /^(?:AWS|CDK|npm)_/.test(name));
  return {
    section: 'ServerErrors',
    report: [
      'Since this morning, we cannot look up an order that waits for its payment: you respond with 500.',
      `For example ${waitingCart}. Orders that are paid are fine.`,
    ],
    surroundings: [
      '- The stage is `prod`, on an emulator of AWS. Queries do not work there. Work in this folder, and set these first:',
      `    cd ${folders.team}`,
      `    export ${variables.map((variable) => variable.join('=')).join(' ')}`,
    ],
    isMended: async () => {
      const { values } = await game.stack();
      const [is, was] = [values, before.values].map((each) =>
        JSON.stringify({ ...each.default, ...each.given }),
      );
      if (is !== was) throw new OperatorError('The stage has lost a value: see `operate -- stages show`.');
      return game.store.retrieve(waitingCart).then(
        ({ status }) => status === 200,
        () => false,
      );
    },
    mend: game.rollBack,
  };
};
