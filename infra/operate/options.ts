import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseHttpUrl } from '../command-line.ts';
import type { StageFlags } from './stage.ts';

/** What every command takes. */
export interface CommonFlags extends StageFlags {
  readonly json?: true;
}

const parseStage = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('It must be the name of a stage.');
  return text;
};

const GROUP = 'Options of every command:';

/** Gives a command the options that every command has: which stage it works on, and for whom it prints. */
export const withCommonOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--stage <name>',
        'a deployed stage, in the account and region of AWS_PROFILE and AWS_REGION; by default the running local one',
      )
        .argParser(parseStage)
        .conflicts('dynamodb')
        .helpGroup(GROUP),
    )
    .addOption(
      new Option('--dynamodb <url>', 'the DynamoDB of a local stage that runs on other data than the default')
        .argParser(parseHttpUrl)
        .helpGroup(GROUP),
    )
    .addOption(new Option('--json', 'print one line of JSON').helpGroup(GROUP))
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup(GROUP));

/** What a command takes that may touch live keys. */
export interface YesFlag {
  readonly yes?: true;
}

/** Gives a command the option that answers its question beforehand. */
export const withYes = (command: Command): Command =>
  command.option('--yes', 'do not ask before a live key is touched');

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const DURATION_DAYS_MAX = 3_650;

/** A length of time, such as 90d, 24h, 30m or 45s; in milliseconds. */
export const parseDuration = (text: string): number => {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (durationMs <= DURATION_DAYS_MAX * UNIT_MS.d) return durationMs;
  throw new InvalidArgumentError(
    `It must be a whole number of s, m, h or d, such as 24h, of at most ${DURATION_DAYS_MAX}d.`,
  );
};

/** A length of time above none; in milliseconds. */
export const parseLifetime = (text: string): number => {
  const durationMs = parseDuration(text);
  if (durationMs === 0) throw new InvalidArgumentError('It must be longer than that.');
  return durationMs;
};

const TEXT_LENGTH_MAX = 100;

/** A text for people: one line, not too long. */
export const parseText = (text: string): string => {
  if (text.trim() !== '' && text.length <= TEXT_LENGTH_MAX && text.isWellFormed() && !/\p{Cc}/u.test(text)) {
    return text;
  }
  throw new InvalidArgumentError(`It must be one line of 1 to ${TEXT_LENGTH_MAX} characters.`);
};

/** An id as requests carry it: of a store or a product. */
export const parseId = (text: string): string => {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(text)) {
    throw new InvalidArgumentError('It must be 1 to 128 letters, digits, _ or -.');
  }
  return text;
};

/** A whole number of at least 1. */
export const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(text);
};

/** An amount of money, in decimals. */
export const parseAmount = (text: string): number => {
  if (!/^\d{1,15}(?:\.\d{1,15})?$/.test(text)) {
    throw new InvalidArgumentError('It must be an amount such as 19.99.');
  }
  return Number(text);
};
