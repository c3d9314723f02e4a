import { isIP } from 'node:net';
import { OperatorError } from '../terminal/operator-error.ts';
import { MalformedValueError, trueOrFalse } from './read-context-value.ts';
import type { StageContext } from './stage-context.ts';

export interface FirewallConfig {
  /** The networks, in CIDR notation, whose addresses may send any number of requests. */
  readonly allowedNetworks: readonly string[];
}

/** A firewall accepts every network but the whole internet. */
const isNetwork = (text: string): boolean => {
  const [, address = '', bits = ''] = /^(.+)\/([1-9]\d{0,2})$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
};

const allowedNetworksOf = ({ firewallAllow = '' }: StageContext): readonly string[] => {
  const networks = firewallAllow.split(',').filter((text) => text !== '');
  const malformed = networks.find((text) => !isNetwork(text));
  if (malformed === undefined) return networks;
  throw new MalformedValueError(
    'firewallAllow',
    'networks with commas between them, such as 203.0.113.0/24,2001:db8::/32',
    ` ${JSON.stringify(malformed)} is none.`,
  );
};

/**
 * The firewall of a stage, if it has one.
 *
 * @param byDefault whether the stage has one if the context does not say
 * @throws OperatorError if a network is malformed, or is allowed where there is no firewall
 */
export const firewallOf = (context: StageContext, byDefault: boolean): FirewallConfig | undefined => {
  const allowedNetworks = allowedNetworksOf(context);
  if (trueOrFalse(context, 'firewall', byDefault)) return { allowedNetworks };
  if (allowedNetworks.length === 0) return undefined;
  throw new OperatorError('The firewallAllow needs a firewall: pass -c firewall=true, or leave it out.');
};
