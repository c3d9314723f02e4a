import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

type Reply = { readonly value: unknown } | { readonly failure: string };

/** A Node process that answers one request at a time. */
export interface Worker {
  readonly child: ChildProcess;
  ask<Value>(request: unknown): Promise<Value>;
  stop(): Promise<void>;
}

/** Starts a file as a process of its own and waits until it serves; what it prints goes through a pipe to nowhere. */
export const startWorker = async (
  file: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Worker> => {
  const child = fork(file, args, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  child.stdout?.resume();
  const exited = once(child, 'exit');
  const nextMessage = async (): Promise<Reply> => {
    const ended = exited.then(([code]) => ({ failure: `${file} ended with ${String(code)}` }));
    const answered = once(child, 'message').then(([reply]) => reply as Reply);
    return Promise.race([answered, ended]);
  };
  const valueOf = (reply: Reply): unknown => {
    if ('failure' in reply) throw new Error(reply.failure);
    return reply.value;
  };
  valueOf(await nextMessage());
  return {
    child,
    async ask<Value>(request: unknown) {
      const replied = nextMessage();
      child.send(request as object);
      return valueOf(await replied) as Value;
    },
    async stop() {
      child.disconnect();
      await exited;
    },
  };
};

/** The worker's side: tells that it is ready, then answers each request; it ends when nobody asks any more. */
export const serve = (answer: (request: never) => Promise<unknown>): void => {
  const send = (reply: Reply): void => void process.send?.(reply);
  process.on('message', (request) => {
    answer(request as never).then(
      (value) => send({ value }),
      (error: unknown) =>
        send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  send({ value: 'ready' });
};
