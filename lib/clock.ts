/** Tells the time in milliseconds since the Unix epoch. Passed in wherever time matters, so that tests own it. */
export type Clock = () => number;
