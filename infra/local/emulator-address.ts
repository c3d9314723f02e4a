import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from './gateway/listen.ts';

export interface EmulatorAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * The ports above 1023 that no browser connects to, for any page and any protocol (Fetch Standard, "Port blocking"). The
 * two latest, 4190 and 6679, are missing: some browsers still connect to them.
 */
export const PORTS_CLOSED_TO_BROWSERS: readonly number[] = [
  1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10_080,
];

/** Linux has all of 127.0.0.0/8: many emulators can share a port. Elsewhere, 127.0.0.1 alone works. */
const randomHost = (): string =>
  process.platform === 'linux' ? `127.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}` : '127.0.0.1';

/**
 * Finds a free loopback address for the emulator that pages cannot reach.
 *
 * @throws OperatorError if each port is in use
 */
export const findEmulatorAddress = async (
  ports: readonly number[] = shuffled(PORTS_CLOSED_TO_BROWSERS),
): Promise<EmulatorAddress> => {
  const [port = 0, ...others] = ports;
  const host = randomHost();
  const server = createServer();
  try {
    await listen(server, host, port);
  } catch (error) {
    if (others.length === 0) throw error;
    return findEmulatorAddress(others);
  }
  server.close();
  await once(server, 'close');
  return { host, port };
};

const shuffled = (ports: readonly number[]): readonly number[] =>
  ports
    .map((port) => ({ port, order: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ port }) => port);
