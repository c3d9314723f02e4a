import { OperatorError } from '../../operator-error.ts';
import type { Run } from '../command.ts';
import { isoTime } from '../output.ts';
import type { ROTATE_WEBHOOK } from './commands.ts';
import { confirmChange, endpointJson, idsOf, newSecretResult } from './endpoint.ts';

export const run: Run<typeof ROTATE_WEBHOOK> = async ({ endpoint, overlap }, context) => {
  const { endpointId } = endpoint;
  await confirmChange('Rotating the secret of', endpoint, context);
  const secret = await context.change(idsOf(endpoint), async () => {
    const rotated = await context.stores.secrets.rotate(endpoint, overlap);
    if (rotated !== undefined) return rotated;
    throw new OperatorError(
      `The endpoint ${endpointId} has no secret, or another rotation came first: check \`webhooks list\`, then repeat the command.`,
    );
  });
  const previousSecretEndsAt = isoTime(context.now() + overlap);
  return newSecretResult(endpoint, secret, {
    json: { ...endpointJson(endpoint), previousSecretEndsAt },
    line: `Deliveries carry the signatures of both secrets until ${previousSecretEndsAt}.`,
    remedy: 'rotate it again',
  });
};
