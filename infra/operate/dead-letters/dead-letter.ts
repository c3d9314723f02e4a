/** A message that a stage could not handle. */
export interface DeadLetter {
  readonly messageId: string;
  /** When it was first sent, in milliseconds since the epoch. */
  readonly sentAtMs: number;
  /** The message as sent. */
  readonly body: string;
}

/** What a dead letter is about, and what would become of it. */
export interface ExaminedLetter {
  /** The outcome of a redrive, or the reason why there would be none. */
  readonly verdict: string;
  /** Whether a redrive would succeed now. */
  readonly isRedrivable: boolean;
  /** What it is about, for a person. */
  readonly subject: string;
  /** The same, in the JSON. */
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
   * Gives a letter to the service again. The letter is deleted afterwards, so it may arrive twice, but it is never lost.
   *
   * @returns whether the service takes it
   */
  redrive(letter: DeadLetter): Promise<boolean>;
}

/** Parses the JSON text of a letter. `undefined` if it is none. */
export const parseLetter = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};
