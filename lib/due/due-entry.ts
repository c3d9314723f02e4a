import type { Mode } from '../core/mode.ts';
import type { EndpointRef } from '../webhooks/endpoint.ts';

/** Work for a later minute. */
export type DueEntry =
  /** Carts that expire in this minute. */
  | { readonly kind: 'expiry'; readonly mode: Mode; readonly cartIds: readonly string[] }
  /** A further attempt to deliver an event. */
  | {
      readonly kind: 'attempt';
      readonly endpoint: EndpointRef;
      readonly sequence: number;
      readonly attempt: number;
      /** The exact time. The entry is due a run earlier. Default: at once */
      readonly atMs?: number | undefined;
    }
  /** A probe of an endpoint whose breaker is open. */
  | { readonly kind: 'probe'; readonly endpoint: EndpointRef }
  /** A part of the parked deliveries of an endpoint that works again. */
  | { readonly kind: 'drain'; readonly endpoint: EndpointRef };

export type DueKind = DueEntry['kind'];

/** Stores work for later. */
export interface DueSchedule {
  /**
   * Stores entries until the minute in which they are due. An entry whose minute is past becomes due in the next run.
   *
   * @param id makes a repetition of the same entry harmless
   */
  put(
    entries: readonly { readonly id: string; readonly dueAtMs: number; readonly entry: DueEntry }[],
  ): Promise<void>;
}
