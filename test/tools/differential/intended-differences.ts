/**
 * What a caller or DynamoDB may see differ between the two clients, by the subject of the difference, and why. The test
 * reports any other difference, and each row here that no longer occurs.
 */
export const INTENDED_DIFFERENCES: Readonly<Record<string, string>> = {};
