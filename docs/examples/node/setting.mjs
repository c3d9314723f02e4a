// SPDX-License-Identifier: MIT-0
/**
 * Reads an environment variable. Ends the program if its value does not match.
 *
 * @param {string} name
 * @param {RegExp} pattern
 */
export function setting(name, pattern, fallback = '') {
  const value = process.env[name] ?? fallback;
  if (!pattern.test(value)) {
    console.error(`${name} is missing or malformed.`);
    process.exit(1);
  }
  return value;
}
