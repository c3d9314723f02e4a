import type { Command } from 'commander';
import { createProgram } from '../../../infra/operate/program.ts';

/** The blocks of a page: shell commands, or queries without a language. */
export const blocksOf = (page: string, language: 'sh' | ''): string[] =>
  [...page.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].flatMap(([, name, block = '']) =>
    name === language ? [block.trim()] : [],
  );

/** The lines of the shell blocks of a page. A line that ends with a backslash continues. */
export const shellLinesOf = (page: string): string[] =>
  blocksOf(page, 'sh').flatMap((block) =>
    block
      .replaceAll(/\s*\\\n\s*/g, ' ')
      .split('\n')
      .map((line) => line.trim()),
  );

/** The commands of `npm run operate` in lines of the shell, without pipes and redirections. */
export const operateCommandsIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /npm run (?:--silent |-s )?operate -- ([^|>)]+)/.exec(line)?.[1]?.trim() ?? []);

const ENDPOINT_ID = 'we_0123456789abcdefghijABCD';

const VALUES: Readonly<Record<string, string>> = {
  stage: 'prod',
  store: 'demo-store-one',
  cartId: '45075ab2-c0c2-4a6d-89b4-3b442bbef853',
  paymentId: '1e11445b-1d3a-4dd1-8c4a-88f1fce6c8dd',
  refundId: 'refund-17',
  messageId: '5f0c3a52-8c1d-4f7e-9f0b-3f6d0f5f5d11',
  uuid: '5f0c3a52-8c1d-4f7e-9f0b-3f6d0f5f5d11',
  keyId: '0123456789ab',
  id: ENDPOINT_ID,
  endpointId: ENDPOINT_ID,
  newEndpointId: ENDPOINT_ID,
  oldEndpointId: ENDPOINT_ID,
  productId: 'one-course',
  time: '2026-11-20T14:00:00Z',
  url: 'https://shop.example/hook',
  number: '2',
  mode: 'live',
  limit: '600',
  windowSeconds: '60',
  label: 'Web shop',
  lang: 'fr-FR',
  AlarmName: 'CartCheckout-prod-AlarmsLatency0C947829-1ABC',
  table: 'carts-restored',
  deploymentId: 'd-A1B2C3D4E',
  logicalId: 'RunTimers6B7B9EA2',
  backupArn: 'arn:aws:dynamodb:eu-west-1:111111111111:table/carts/backup/1',
  certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/1',
  domain: 'api.example.com',
  role: 'operator',
};

/**
 * A command with a value for each placeholder.
 *
 * @param isResource whether a placeholder is the name of a resource, and stays
 * @throws if a placeholder has no value
 */
export const withValues = (command: string, isResource: (name: string) => boolean = () => false): string =>
  command.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name in VALUES) return VALUES[name]!;
    if (!isResource(name)) throw new Error(`The placeholder ${name} has no value`);
    return name;
  });

/** Splits a command as a shell does. No quoted text has a quote. */
export const argsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|\S+/g)].map(([text, quoted]) => quoted ?? text);

/** Replaces the actions of all commands, and ends no process. */
const disarm = (command: Command): void => {
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  if (command.commands.length === 0) command.action(() => undefined);
  command.commands.forEach(disarm);
};

/** Parses a command of `npm run operate`, and does not run it. Rejects if its command line does not accept it. */
export const parseOperate = (command: string): Promise<Command> => {
  const program = createProgram({ now: Date.now } as Parameters<typeof createProgram>[0]);
  disarm(program);
  return program.parseAsync(argsOf(command), { from: 'user' });
};
