import { InvalidArgumentError } from 'commander';

/**
 * Reads a command-line option that is an http(s) address; a trailing slash is dropped.
 *
 * @throws InvalidArgumentError if it is none, or has a user, a query or a fragment
 */
export const parseHttpUrl = (text: string): string => {
  if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('It must be an http(s) address without user, query or fragment.');
  }
  return text.replace(/\/+$/, '');
};
