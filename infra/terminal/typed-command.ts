import { IS_PACKAGE } from '../core/project.ts';

/** The package's program as the user types it. npm sets `npm_command`: https://docs.npmjs.com/cli/using-npm/scripts */
export const PACKAGE_COMMAND = process.env['npm_command'] === 'exec' ? 'npx cart-checkout' : 'cart-checkout';

/** The operators' commands that the package has for everyone, beside `start` and `operate`. */
export const COMMANDS_FOR_EVERYONE: readonly string[] = ['listen', 'completion'];

/**
 * A command as the user types it.
 *
 * @param words `start` or the words of an operators' command, with its options, such as `keys issue --store shop`
 */
export const typedCommand = (words: string): string => {
  const [first = '', ...rest] = words.split(' ');
  if (IS_PACKAGE) {
    const isForEveryone = first === 'start' || COMMANDS_FOR_EVERYONE.includes(first);
    return isForEveryone ? `${PACKAGE_COMMAND} ${words}` : `${PACKAGE_COMMAND} operate ${words}`.trimEnd();
  }
  if (first !== 'start') return `npm run operate -- ${words}`.trimEnd();
  return ['npm start', ...(rest.length > 0 ? ['--', ...rest] : [])].join(' ');
};
