import type { Item } from '../database/documents.ts';

/**
 * Two deliveries of an endpoint may be in flight. The holder of slot 0 also sends probes and parked deliveries, so only one process
 * at a time does that. Slot 1 is for receivers that succeed quickly, and not while the attempt of slot 0 takes long.
 */
export type Slot = 0 | 1;

export const SLOTS: readonly Slot[] = [0, 1];

/** The attribute of an endpoint with the end of a slot's lease. */
export const untilOf = (slot: Slot) => `lease${slot}UntilMs` as const;

/** The attribute of an endpoint with the owner of a slot's lease. */
export const ownerOf = (slot: Slot) => `lease${slot}Owner` as const;

/** The condition that no lease of a slot is held at `:now`. */
export const isFree = (slot: Slot): string =>
  `(attribute_not_exists(${untilOf(slot)}) OR ${untilOf(slot)} <= :now)`;

/** Whether {@link isFree} is false for an item. */
export const isHeld = (item: Item, slot: Slot, nowMs: number): boolean =>
  Number(item[untilOf(slot)] ?? 0) > nowMs;
