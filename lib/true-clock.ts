import type { Clock } from './clock.ts';

/** The time of one request, and whether DynamoDB has confirmed it lately. */
export interface RequestClock {
  readonly now: Clock;
  readonly isConfirmed: () => boolean;
}

export interface TrueClockOptions {
  /** The machine's clock. It may be wrong, and may step. */
  readonly machineNow: Clock;
  /** A clock that never steps, in milliseconds since any moment. */
  readonly monotonicNow: Clock;
}

/** The `Date` header has whole seconds. */
const DATE_RESOLUTION_MS = 1_000;

/** A response after a longer wait corrects the clock, but too vaguely to confirm it. */
const ROUND_TRIP_MAX_MS = 1_000;

/** How long a confirmation counts. In that time, no crystal drifts by more than some milliseconds. */
const CONFIRMATION_MS = 60_000;

/** The smallest correction to report: the resolution of the header. Well-kept clocks differ by milliseconds. */
const REPORTED_SKEW_MS = 1_000;

/**
 * A clock that the `Date` headers of DynamoDB correct. All writers of one table thereby share one time, whatever the
 * clocks of their machines say.
 *
 * The header states the second of one moment between the request and the response. If the clock excludes that, it moves
 * by the least amount that does not. Its remaining error is at most the length of a second and of a round trip
 * (`docs/decisions.md`, "Clocks"). Between responses, it follows the monotonic clock. Steps of the machine's clock have no
 * effect.
 */
export class TrueClock {
  readonly #options: TrueClockOptions;
  /** From the monotonic clock to the true time. `undefined` until the first response. */
  #offsetMs: number | undefined;
  #confirmedAtMs = -Infinity;
  readonly #firstSkew = Promise.withResolvers<number>();

  /** How far the machine's clock is ahead, in milliseconds. Resolves once DynamoDB shows that this is a second or more. */
  readonly skewMs: Promise<number> = this.#firstSkew.promise;

  constructor(options: TrueClockOptions) {
    this.#options = options;
  }

  /** The true time as far as it is known: by the machine's clock until the first response of DynamoDB. */
  readonly now: Clock = () =>
    this.#offsetMs === undefined
      ? this.#options.machineNow()
      : Math.floor(this.#options.monotonicNow() + this.#offsetMs);

  /** Whether a fast response has confirmed or corrected the time in the last minute. */
  readonly isConfirmed = (): boolean =>
    Math.abs(this.#options.monotonicNow() - this.#confirmedAtMs) <= CONFIRMATION_MS;

  /**
   * The clock of a request that the gateway received at this time. The true time is never before it, and counts as equal
   * to it unless a response has lately confirmed this clock.
   */
  during(requestTimeMs: number): RequestClock {
    const startedAtMs = this.#options.monotonicNow();
    const now = (): number => {
      const earliestMs = requestTimeMs + Math.floor(this.#options.monotonicNow() - startedAtMs);
      // An environment that was frozen may be behind.
      return this.isConfirmed() ? Math.max(earliestMs, this.now()) : earliestMs;
    };
    return { now, isConfirmed: this.isConfirmed };
  }

  /** Starts a call to DynamoDB. Pass the response's `Date` header to the returned function, which corrects the clock. */
  startCall(): (dateHeader: string) => void {
    const sentAtMs = this.#options.monotonicNow();
    return (dateHeader) => this.#observe(sentAtMs, Date.parse(dateHeader));
  }

  #observe(sentAtMs: number, dateMs: number): void {
    const { machineNow, monotonicNow } = this.#options;
    const receivedAtMs = monotonicNow();
    const roundTripMs = receivedAtMs - sentAtMs;
    // Only a test's clock goes back during a call.
    if (Number.isNaN(dateMs) || roundTripMs < 0) return;
    const machineOffsetMs = machineNow() - receivedAtMs;
    const leastMs = dateMs - receivedAtMs;
    const mostMs = dateMs + DATE_RESOLUTION_MS - sentAtMs;
    this.#offsetMs = Math.min(Math.max(this.#offsetMs ?? machineOffsetMs, leastMs), mostMs);
    if (roundTripMs <= ROUND_TRIP_MAX_MS) this.#confirmedAtMs = receivedAtMs;
    const skewMs = Math.round(machineOffsetMs - this.#offsetMs);
    if (Math.abs(skewMs) >= REPORTED_SKEW_MS) this.#firstSkew.resolve(skewMs);
  }
}
