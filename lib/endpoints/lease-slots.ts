import type { Item } from '../database/documents.ts';

/**
 * Two deliveries of an endpoint may be in flight. The holder of slot 0 also sends probes and parked deliveries, so only one process
 * at a time does that. Slot 1 is for receivers that succeed quickly, and not while the attempt of slot 0 takes long. A receiver
 * that took 800 ms got 2.2 events a second with slot 1, and 1.2 without it.
 */
export type Slot = 0 | 1;

export const SLOTS: readonly Slot[] = [0, 1];

/** The attribute of an endpoint with the end of a slot's lease. */
export const untilAttributeOf = (slot: Slot) => `lease${slot}UntilMs` as const;

/** The attribute of an endpoint with the owner of a slot's lease. */
export const ownerAttributeOf = (slot: Slot) => `lease${slot}Owner` as const;

/** The condition that no lease of a slot is held at `:now`. */
export const freeCondition = (slot: Slot): string =>
  `(attribute_not_exists(${untilAttributeOf(slot)}) OR ${untilAttributeOf(slot)} <= :now)`;

/** Whether {@link freeCondition} is false for an item. */
export const isHeld = (item: Item, slot: Slot, nowMs: number): boolean =>
  Number(item[untilAttributeOf(slot)] ?? 0) > nowMs;
