/** A stored item that this release cannot read: it lacks a field, or a later release stored it. */
export class UnreadableItemError extends Error {}
