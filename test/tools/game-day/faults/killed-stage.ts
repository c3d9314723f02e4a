import { startService } from '../../../support/programs/processes.ts';
import type { Fault } from '../fault.ts';

/** The process of the stage is dead. */
export const killedStage: Fault = async (stage) => {
  const apiKey = await stage.issueKey();
  const { cartId } = await stage.order(apiKey);
  await stage.kill();
  return {
    section: 'NoRequests',
    report: [
      'We cannot reach you at all. Every connection fails.',
      `The status of our last order, ${cartId}, must not be lost.`,
    ],
    isMended: () =>
      stage.getCart(cartId, apiKey).then(
        ({ status }) => status === 200,
        () => false,
      ),
    mend: () => startService(['--data', stage.dataFile, '--port', new URL(stage.baseUrl).port]),
  };
};
