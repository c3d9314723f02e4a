import type { Clock } from './clock.ts';

/** The time of one request. */
export interface RequestClock {
  readonly now: Clock;
  /** Whether DynamoDB has confirmed the time lately. */
  readonly isConfirmed: () => boolean;
  /** The milliseconds since the function received the request. */
  readonly elapsedMs: () => number;
}

export interface TrueClockOptions {
  /** The machine's clock. It may be wrong, and may step. */
  readonly machineNow: Clock;
  /** A clock that never steps, in milliseconds since any moment. */
  readonly monotonicNow: Clock;
}

/** The `Date` header has whole seconds. */
const DATE_RESOLUTION_MS = 1_000;

/** A slower response corrects the clock, but not precisely enough to confirm it. */
const ROUND_TRIP_MAX_MS = 1_000;

/** A confirmed clock is wrong by at most this (`docs/decisions.md`, "Clocks"). Two of them differ by at most twice as much. */
export const CLOCK_ERROR_MS = DATE_RESOLUTION_MS + ROUND_TRIP_MAX_MS;

/** How long a confirmation counts. A monotonic clock drifts only by milliseconds in this time. */
const CONFIRMATION_MS = 60_000;

/** The smallest error of the machine's clock to report: the resolution of the header. */
const REPORTED_SKEW_MS = 1_000;

/**
 * A clock that the `Date` headers of DynamoDB correct. All writers of one table therefore share one time, even if the
 * clocks of their machines are wrong.
 *
 * DynamoDB sets the header, in whole seconds, between the request and the response. If the clock contradicts the
 * header, it moves by the smallest amount that fits. Its remaining error is at most one second and the round trip
 * (`docs/decisions.md`, "Clocks"). Between responses, it follows the monotonic clock. Steps of the machine's clock have
 * no effect.
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

  /** The corrected time. Until the first response of DynamoDB, it is the time of the machine's clock. */
  readonly now: Clock = () => this.#timeAt(this.#options.monotonicNow());

  /** Whether a fast response has confirmed or corrected the time in the last minute. */
  readonly isConfirmed = (): boolean => this.#isConfirmedAt(this.#options.monotonicNow());

  /**
   * The clock of a request that the gateway received at `requestTimeMs`. It counts from this time by the monotonic
   * clock. While the process's clock is confirmed and later, it shows that clock's time instead.
   */
  during(requestTimeMs: number): RequestClock {
    const { monotonicNow } = this.#options;
    const startedAtMs = monotonicNow();
    const now = (): number => {
      // One reading, so that all times below are of one moment.
      const monotonicMs = monotonicNow();
      const earliestMs = requestTimeMs + Math.floor(monotonicMs - startedAtMs);
      // The process's clock may be behind after Lambda froze the environment.
      return this.#isConfirmedAt(monotonicMs) ? Math.max(earliestMs, this.#timeAt(monotonicMs)) : earliestMs;
    };
    return { now, isConfirmed: this.isConfirmed, elapsedMs: () => Math.floor(monotonicNow() - startedAtMs) };
  }

  #timeAt(monotonicMs: number): number {
    return this.#offsetMs === undefined
      ? this.#options.machineNow()
      : Math.floor(monotonicMs + this.#offsetMs);
  }

  #isConfirmedAt(monotonicMs: number): boolean {
    return Math.abs(monotonicMs - this.#confirmedAtMs) <= CONFIRMATION_MS;
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
