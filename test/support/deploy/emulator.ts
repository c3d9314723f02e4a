import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { givenDeadAddress } from '../http/addresses.ts';
import { installPythonPackage } from '../programs/python-package.ts';

/** MiniStack emulates CloudFormation and the stack's services. It comes from PyPI and needs only Python. */
export const MINISTACK_VERSION = '1.5.33';

const START_TIMEOUT_MS = 60_000;

/** An emulator of AWS on this machine. */
export interface Emulator {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Asserts that an address is on this machine, so that no test reaches AWS.
 *
 * @throws Error for any other address
 */
export const assertLoopback = (endpoint: string): void => {
  const { hostname } = new URL(endpoint);
  if (/^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]' || hostname === 'localhost') return;
  throw new Error(`This test deploys only to an emulator on this machine, not to ${hostname}.`);
};

const isHealthy = async (endpoint: string): Promise<boolean> => {
  try {
    return (await fetch(`${endpoint}/_ministack/health`)).ok;
  } catch {
    return false;
  }
};

/** Waits until an emulator responds; throws if its process ends first. */
const untilHealthy = async (endpoint: string, ended: Promise<unknown>): Promise<void> => {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const giveUpAtMs = Date.now() + START_TIMEOUT_MS;
  while (!(await isHealthy(endpoint))) {
    if (hasEnded || Date.now() > giveUpAtMs) throw new Error('MiniStack did not start.');
    await wait(100);
  }
};

/** The emulator at `AWS_ENDPOINT_URL`, which must be on this machine; starts one if the variable is not set. */
export const startEmulator = async (): Promise<Emulator> => {
  const given = process.env['AWS_ENDPOINT_URL'];
  if (given !== undefined && given !== '') {
    assertLoopback(given);
    return { endpoint: given.replace(/\/+$/, ''), stop: () => Promise.resolve() };
  }
  const folder = await installPythonPackage('ministack', MINISTACK_VERSION);
  const endpoint = await givenDeadAddress();
  // The functions of the emulator get its variables: an empty address would send their calls to AWS.
  const { AWS_ENDPOINT_URL: _, ...inherited } = process.env;
  const emulator = spawn('python3', ['-m', 'ministack'], {
    env: {
      ...inherited,
      PYTHONPATH: folder,
      GATEWAY_PORT: new URL(endpoint).port,
      BIND_HOST: '127.0.0.1',
      AWS_ACCESS_KEY_ID: 'test',
    },
    stdio: 'ignore',
  });
  const ended = once(emulator, 'exit');
  await untilHealthy(endpoint, ended);
  return {
    endpoint,
    stop: async () => {
      emulator.kill('SIGTERM');
      await ended;
    },
  };
};
