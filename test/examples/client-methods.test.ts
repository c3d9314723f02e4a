import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { METHODS } from './support/methods.ts';

/** The indented lines after a line: the body of a class or interface. */
const bodyAfter = (line: string, source: string): string =>
  source.split(`\n${line}\n`)[1]?.match(/^(?:[ \t].*\n|\n)*/)?.[0] ?? '';

/** The names that a pattern finds, in the spelling of JavaScript. */
const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) =>
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );

const NODE = readFileSync('clients/node/cart-checkout.mjs', 'utf8');
const PYTHON = readFileSync('clients/python/src/cart_checkout/__init__.py', 'utf8');
const PHP = readFileSync('clients/php/src/CartCheckout.php', 'utf8');

const PHP_CLIENT = bodyAfter('final class Client implements ClientInterface\n{', PHP);

/** A client's public methods, and the functions beside it. They are read from its source: a machine may lack the language. */
const NAMES = {
  'Node.js': [
    ...namesIn(
      bodyAfter('export class CartCheckout {', NODE),
      /^ {2}(?:static |async )?\*?(?!constructor|toString)([a-z]\w*)\(/gm,
    ),
    ...namesIn(NODE, /^export const ([a-z]\w*) = \(/gm),
  ],
  Python: [
    ...namesIn(bodyAfter('class CartCheckout:', PYTHON), /^ {4}def ([a-z]\w*)\(/gm),
    ...namesIn(PYTHON, /^def ([a-z]\w*)\(/gm),
  ],
  PHP: namesIn(PHP_CLIENT, /^ {4}public (?:static )?function ([a-z]\w*)\(/gm),
};

test('a client has a method of each operation', () => {
  const methods = Object.values(METHODS).map(([method]) => method);
  expect(NAMES['Node.js']).toStrictEqual(expect.arrayContaining(methods));
});

test.each(['Python', 'PHP'] as const)(
  'the client for %s has the methods of the one for Node.js',
  (language) => {
    expect(new Set(NAMES[language])).toStrictEqual(new Set(NAMES['Node.js']));
  },
);

test('the interface of the client for PHP has all methods of its objects', () => {
  const pattern = /^ {4}public function ([a-z]\w*)\(/gm;
  const declared = namesIn(bodyAfter('interface ClientInterface\n{', PHP), pattern);
  expect(declared).toStrictEqual(namesIn(PHP_CLIENT, pattern));
});
