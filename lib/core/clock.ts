/** Returns the time in milliseconds since the Unix epoch. Code takes it as a parameter, so that tests set the time. */
export type Clock = () => number;

/** How far two clocks may differ. AWS keeps those of its machines right by NTP, far better than this (`docs/decisions.md`, "Clocks"). */
export const CLOCK_DIFFERENCE_MAX_MS = 5_000;
