import { type Command, Option } from 'commander';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import {
  type CommonFlags,
  type Host,
  parseDuration,
  stageCommand,
  withYes,
  type YesFlag,
} from '../options.ts';
import { isoTime } from '../output.ts';
import { endpointJson } from './endpoint-json.ts';
import { changeOf, confirmChange, findEndpoint } from './found-endpoint.ts';
import { printNewSecret } from './new-secret.ts';

interface RotateFlags extends CommonFlags, YesFlag {
  /** In milliseconds. */
  readonly overlap: number;
}

const rotate = async (host: Host, id: string, flags: RotateFlags): Promise<void> => {
  const found = await findEndpoint(host, id, flags);
  await confirmChange(host, 'Rotating the secret of', found, flags);
  const secret = await recordChange(host, found.stage, changeOf('rotate', found), async () => {
    const rotated = await found.secrets.rotate(id, flags.overlap);
    if (rotated !== undefined) return rotated;
    throw new OperatorError(
      `The endpoint ${id} has no secret, or another rotation came first: check \`webhooks list\`, then repeat the command.`,
    );
  });
  const previousSecretEndsAt = isoTime(host.now() + flags.overlap);
  await printNewSecret(host, flags.json, {
    endpointId: id,
    secret,
    fields: { ...endpointJson(found.endpoint), previousSecretEndsAt },
    lines: [`Deliveries carry the signatures of both secrets until ${previousSecretEndsAt}.`],
    remedy: 'rotate it again',
  });
};

const DEFAULT_OVERLAP = '24h';

const HELP = `
Example:
  npm run operate -- webhooks rotate we_0123456789abcdefghijABCD --overlap 24h

Until the overlap ends, each delivery has two signatures, and the receiver may accept either. For a leaked secret, use
--overlap 0s. A second rotation ends the oldest secret at once. The service uses a new secret within a minute.`;

/** `webhooks rotate`: gives an endpoint a new secret and shows it once. */
export const rotateWebhookCommand = (host: Host): Command =>
  withYes(stageCommand('rotate', 'give an endpoint a new secret and show it once', HELP))
    .argument('<id>', 'the id of the endpoint')
    .addOption(
      new Option('--overlap <duration>', 'how long both secrets sign, such as 12h or 7d')
        .argParser(parseDuration)
        .default(parseDuration(DEFAULT_OVERLAP), DEFAULT_OVERLAP),
    )
    .action((id: string, flags: RotateFlags) => rotate(host, id, flags));
