/** A message that a stage could not handle. */
export interface DeadLetter {
  readonly messageId: string;
  /** When it was first sent, in milliseconds since the epoch. */
  readonly sentAtMs: number;
  /** The text of the message. */
  readonly body: string;
}

/** The subject of a dead letter, and the outcome of a redrive. */
export interface ExaminedLetter {
  /** The outcome of a redrive, or the reason of a rejection. */
  readonly verdict: string;
  /** Whether a redrive would succeed now. */
  readonly isRedrivable: boolean;
  /** The subject, for people. */
  readonly subject: string;
  /** The subject, for `--json`. */
  readonly fields: object;
}

/** The queues of dead letters: payment events, events and expiries of streams, and webhook deliveries. */
export const LETTER_KINDS = ['payments', 'events', 'deliveries'] as const;

export type LetterKind = (typeof LETTER_KINDS)[number];

/** How to handle the dead letters of a kind. */
export interface LetterHandler {
  readonly queueUrl: string;
  examine(letter: DeadLetter): Promise<ExaminedLetter>;
  /**
   * Sends a letter to the service again. The caller deletes it afterwards, so it may arrive twice, but it is never lost.
   *
   * @returns whether the service accepts it
   */
  redrive(letter: DeadLetter): Promise<boolean>;
}
