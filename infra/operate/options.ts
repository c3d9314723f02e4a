import { Command, InvalidArgumentError, Option } from 'commander';
import type { Clock } from '../../lib/core/clock.ts';
import { parseRfc3339 } from '../../lib/core/rfc3339.ts';
import { isStoreName } from '../../lib/stores/store.ts';
import type { TrueClock } from '../../lib/core/true-clock.ts';
import type { ResolveHost } from '../../lib/webhooks/addresses.ts';
import { parseHttpUrl, type Streams, UsageError } from '../command-line.ts';
import type { StageFlags } from './stage.ts';

/** The streams and the clock of a command. */
export interface Host extends Streams {
  /** The true time, once the clock has seen a response of DynamoDB. */
  readonly now: Clock;
  /** The clock that the calls of a command correct. Without it, `now` counts as right. */
  readonly clock?: TrueClock;
  /** Waits. Default: a timer. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Resolves a host name. Default: by the DNS. */
  readonly resolve?: ResolveHost;
  /** Returns a signal that aborts on the first SIGINT, SIGTERM or SIGHUP, which then does not end the process. */
  readonly stopSignal: () => AbortSignal;
}

export interface CommonFlags extends StageFlags {
  readonly json?: true;
}

/** Makes a function that reads a text if it matches a pattern. */
const textOf =
  (pattern: RegExp, message: string) =>
  (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(message);
  };

const parseStage = textOf(/\S/, 'It must be the name of a stage.');

/** Reads a name or a label. The rule is that of a store's name. */
export const parseText = (text: string): string => {
  if (isStoreName(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 100 printable characters.');
};

export const parseId = textOf(/^[A-Za-z0-9_-]{1,128}$/, 'It must be 1 to 128 letters, digits, _ or -.');

const parseDigits = textOf(/^[1-9]\d{0,9}$/, 'It must be a whole number of at least 1.');
const parseDecimals = textOf(/^\d{1,15}(?:\.\d{1,15})?$/, 'It must be an amount such as 19.99.');

export const parseCount = (text: string): number => Number(parseDigits(text));

export const parseAmount = (text: string): number => Number(parseDecimals(text));

/** Reads a timestamp, in milliseconds since the epoch. */
export const parseTime = (text: string): number => {
  const timeMs = parseRfc3339(text);
  if (timeMs !== undefined) return timeMs;
  throw new InvalidArgumentError('It must be an RFC 3339 timestamp, such as 2026-11-20T14:00:00Z.');
};

/**
 * Checks the time range of a command that has both options. `since` is part of it, and `until` is not.
 *
 * @throws UsageError if it ends before it begins
 */
export const assertTimeRange = ({ since, until }: Readonly<Record<string, unknown>>): void => {
  if (typeof since !== 'number' || typeof until !== 'number' || since <= until) return;
  throw new UsageError('--until must not be before --since.');
};

const GROUP = 'Common options:';

/** Creates a command with the options that every command has, except those that select a stage. */
export const jsonCommand = (name: string, description: string, help: string): Command =>
  new Command(name)
    .description(description)
    .addHelpText('after', help)
    .addOption(new Option('--json', 'print one line of JSON').helpGroup(GROUP))
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup(GROUP));

/** Creates a command with the options that every command has: the stage to work on, and the form of the result. */
export const stageCommand = (name: string, description: string, help: string): Command =>
  jsonCommand(name, description, help)
    .addOption(
      new Option(
        '--stage <name>',
        'a deployed stage in the account and region of AWS_PROFILE and AWS_REGION; default: the running local stage',
      )
        .argParser(parseStage)
        .conflicts('dynamodb')
        .helpGroup(GROUP),
    )
    .addOption(
      new Option('--dynamodb <url>', 'the DynamoDB of a local stage that does not run on the default data')
        .argParser(parseHttpUrl)
        .helpGroup(GROUP),
    );

/** The option of a command that may change live mode. */
export interface YesFlag {
  readonly yes?: true;
}

/** Adds the option that confirms a change of live mode in advance. */
export const withYes = (command: Command): Command =>
  command.option('--yes', 'change live mode without asking');

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const DURATION_MAX_MS = 3_650 * UNIT_MS.d;

/** Reads a duration such as 90d, 24h, 30m or 45s, in milliseconds. */
export const parseDuration = (text: string): number => {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (durationMs <= DURATION_MAX_MS) return durationMs;
  throw new InvalidArgumentError('It must be a whole number of s, m, h or d, such as 24h, up to 3650d.');
};

/** Reads a duration above zero, in milliseconds. */
export const parseLifetime = (text: string): number => {
  const durationMs = parseDuration(text);
  if (durationMs === 0) throw new InvalidArgumentError('It must be longer than zero.');
  return durationMs;
};
