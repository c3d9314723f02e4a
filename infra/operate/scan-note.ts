/** The rate of a scan: a third of what one partition of a table serves, so that requests keep theirs. */
export const READ_UNITS_PER_SECOND = 1_000;

/** The note of a command that scans large tables. */
export const SCAN_NOTE = `\
It reads whole tables, at most ${READ_UNITS_PER_SECOND} read units a second: DynamoDB charges for every item. It states the cost first.`;
