/**
 * The rule for the attribute `deleteAtSeconds`, the TTL of the tables that have one: from this Unix second on, an item counts as
 * deleted. DynamoDB deletes it within a few days.
 *
 * @param deleteAtSeconds NaN for an item without the attribute, which is never deleted
 */
export const isPastDeletion = (deleteAtSeconds: number, nowMs: number): boolean =>
  deleteAtSeconds * 1_000 <= nowMs;

/** The same rule as a condition, with the values of {@link ttlValues}. */
export const IS_PAST_DELETION = 'deleteAtSeconds <= :nowSeconds';

/** The opposite condition. */
export const IS_NOT_PAST_DELETION =
  '(attribute_not_exists(deleteAtSeconds) OR deleteAtSeconds > :nowSeconds)';

export const ttlValues = (nowMs: number) => ({ ':nowSeconds': nowMs / 1_000 });
