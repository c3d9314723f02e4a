import { createHash } from 'node:crypto';
import { OperatorError } from '../terminal/operator-error.ts';
import type { StageContext } from './stage-context.ts';

/** The stage that takes real payments, and keeps its data. */
export const PRODUCTION = 'prod';

/** A name that begins with one of these words, in any case. Only `prod` keeps its data and takes real payments. */
const LIKE_PRODUCTION = /^[^a-z]*(?:prod|production|prd|live)(?![a-z])/i;

const NAME_LENGTH_MAX = 24;
/** 40 bits: a collision among a thousand branches has a chance of one in two million. */
const HASH_LENGTH = 10;

/**
 * Turns any text, such as a branch name, into a stage name. A valid name stays. Any other text keeps its valid characters
 * and gets a part of its hash: two texts do not share a name.
 */
export const safeStageName = (text: string): string => {
  if (/^[a-z][a-z0-9-]*$/.test(text) && text.length <= NAME_LENGTH_MAX && !text.endsWith('-')) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
  const kept = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, NAME_LENGTH_MAX - HASH_LENGTH - 1)
    .replace(/-+$/, '');
  return `${kept === '' ? 'stage' : kept}-${hash}`;
};

/** The name of a stage's CloudFormation stack. */
export const stackNameOf = (stageName: string): string => `CartCheckout-${stageName}`;

/** @throws OperatorError if the name looks like production and is not */
export const stageNameOf = ({ stage }: StageContext): string => {
  if (stage === PRODUCTION || !LIKE_PRODUCTION.test(stage)) return safeStageName(stage);
  throw new OperatorError(
    `The stage ${JSON.stringify(stage)} is not production, but its name looks like it. ` +
      `Pass -c stage=${PRODUCTION} for production, or -c stage=... with another name.`,
  );
};
