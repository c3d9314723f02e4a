import { fork } from 'node:child_process';
import { once } from 'node:events';

type Reply = { readonly value: unknown } | { readonly failure: string };

/** A Node process that handles one request at a time. */
export interface Worker {
  /** @throws Error if the worker fails or ends */
  ask<Value>(request: unknown): Promise<Value>;
  stop(): Promise<void>;
}

/** Starts a file as a process and waits until it serves. Its output is dropped. */
export const startWorker = async (
  file: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Worker> => {
  const child = fork(file, args, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  child.stdout?.resume();
  const exited = once(child, 'exit');
  const nextValue = async (): Promise<unknown> => {
    const ended = exited.then(([code]) => ({ failure: `${file} ended with ${String(code)}` }));
    const replied = once(child, 'message').then(([reply]) => reply as Reply);
    const reply = await Promise.race([replied, ended]);
    if ('failure' in reply) throw new Error(reply.failure);
    return reply.value;
  };
  await nextValue();
  return {
    async ask<Value>(request: unknown) {
      const value = nextValue();
      child.send(request as object);
      return (await value) as Value;
    },
    async stop() {
      child.disconnect();
      await exited;
    },
  };
};

/** Handles each request of the parent process, and exits when the parent disconnects. */
export const serve = (handle: (request: never) => Promise<unknown>): void => {
  const send = (reply: Reply): void => void process.send?.(reply);
  process.on('message', (request) => {
    handle(request as never).then(
      (value) => send({ value }),
      (error: unknown) =>
        send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  send({ value: 'ready' });
};
