/** Returns the time in milliseconds since the Unix epoch. Code takes it as a parameter, so that tests set the time. */
export type Clock = () => number;
