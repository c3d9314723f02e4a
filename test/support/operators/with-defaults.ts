/** The flags, after those defaults that they do not give themselves: an option that is given twice is rejected. */
export const withDefaults = (
  defaults: Readonly<Record<string, string>>,
  flags: readonly string[],
): readonly string[] => [
  ...Object.entries(defaults).flatMap(([name, value]) => (flags.includes(name) ? [] : [name, value])),
  ...flags,
];
