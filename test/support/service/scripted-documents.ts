import type { TestDatabase } from '../database/database.ts';

/** The input of a call, with the names that scripts read. */
export type ScriptedInput = Readonly<Record<string, unknown>>;

/** Responds to a call. It may throw, or return a promise. */
export type Respond<Input = never> = (input: Input) => unknown;

interface ScriptedCall {
  /** The name of its command, such as `Get`. */
  readonly command: string;
  readonly input: ScriptedInput;
  readonly signal: unknown;
}

interface Script {
  readonly command: string;
  readonly tableName: string | undefined;
  readonly respond: Respond<ScriptedInput>;
}

/** A client whose calls have scripted results: no call leaves the process. */
export const scriptDocuments = () => {
  const scripts: Script[] = [];
  const calls: ScriptedCall[] = [];
  const send = async (
    {
      constructor,
      input,
    }: { readonly constructor: { readonly name: string }; readonly input: ScriptedInput },
    options: { readonly abortSignal?: unknown } = {},
  ): Promise<unknown> => {
    const command = constructor.name.replace(/Command$/, '');
    calls.push({ command, input, signal: options.abortSignal });
    const script = scripts.findLast(
      (each) => each.command === command && [undefined, input['TableName']].includes(each.tableName),
    );
    if (!script) throw new Error(`Script a result of this call: ${command} ${JSON.stringify(input)}`);
    return script.respond(input);
  };
  return {
    documents: { send } as unknown as TestDatabase['documents'],
    calls,
    /** Scripts every later call of a command, of all tables or one. The last script of a call decides. */
    script(command: string, respond: Respond, tableName?: string): void {
      scripts.push({ command, tableName, respond: respond as Respond<ScriptedInput> });
    },
  };
};
