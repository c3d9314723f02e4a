import { Client } from '@smithy/core/client';
import { onTestFinished, vi } from 'vitest';

/** Handles the calls of the SDK's clients until the test ends. A call goes on to AWS if `handle` returns `undefined`. */
export const interceptCalls = (handle: (command: unknown) => Promise<unknown>): void => {
  const original = Client.prototype.send as (this: unknown, ...args: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(Client.prototype, 'send').mockImplementation(async function (
    this: unknown,
    ...args: unknown[]
  ) {
    return (await handle(args[0])) ?? original.apply(this, args);
  } as never);
  onTestFinished(() => spy.mockRestore());
};
