/** The letters and digits of a name, in lower case: names that differ in case and separators have the same. */
export const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
