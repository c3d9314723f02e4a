import type { Result } from './command.ts';

interface NewSecret extends Required<Pick<Result, 'json' | 'ifLost'>> {
  readonly headline: string;
  /** The secret and the id, each with its name. */
  readonly shown: Readonly<Record<string, string>>;
  /** The instruction to keep the secret. */
  readonly notice: string;
  /** A further line, also if the secret cannot be shown. */
  readonly end?: string;
}

/** The result that shows a new secret once: no command shows it again. */
export const secretResult = ({ json, headline, shown, notice, ifLost, end }: NewSecret): Result => {
  const width = Math.max(...Object.keys(shown).map((name) => name.length));
  const lines = Object.entries(shown).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  const last = end === undefined ? [] : [end];
  return { json, lines: [headline, ...lines, notice, ...last], ifLost: [ifLost, ...last].join(' ') };
};
