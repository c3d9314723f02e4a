import { resolveHost } from '../../../lib/webhooks/addresses.ts';
import { checkEndpointHost, parseEndpointUrl } from '../../../lib/webhooks/endpoint-url.ts';
import { UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Host } from '../options.ts';
import type { Stage } from '../stage.ts';

/**
 * Checks the address of a new endpoint by the rules of every attempt. The local stage also allows http to this machine, as
 * does a stage on an emulator of AWS (`-c webhookLoopback=true`).
 *
 * @returns the address in its normal form
 * @throws UsageError or OperatorError with the rule that the address breaks
 */
export const checkEndpointUrl = async (
  { resolve = resolveHost }: Pick<Host, 'resolve'>,
  text: string,
  { outputs }: Pick<Stage, 'outputs'>,
): Promise<string> => {
  const allowsLoopback = outputs === undefined || outputs['WebhookLoopback'] === 'true';
  const parsed = parseEndpointUrl(text, { allowsLoopback });
  if (!parsed.ok) throw new UsageError(parsed.reason);
  const reason = await checkEndpointHost(parsed.url, resolve);
  if (reason !== undefined) throw new OperatorError(reason);
  return parsed.url;
};
