import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stackFrames } from '../../../lib/telemetry/failure.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'stack-frames-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const MAP = {
  version: 3,
  sources: ['../../../lib/carts/cart.ts', '../../../functions/get-cart/handler.ts', '../scripts/other.ts'],
  names: [],
  // Base64 VLQ: 3:5 is 10:3 of the first source, 3:6 is its 11:3, and 4:1 its 12:3. 4:2 is 13:3 of the second source and
  // 4:3 is 14:3 of the third. 12:11 is 10:3 of the third.
  mappings: ';;IASE,CACA;AACA,CCCA,CCCA;;;;;;;;UAJA',
};

/** A bundle with its source map. */
const givenBundle = (): string => {
  const bundle = join(mkdtempSync(join(FOLDER, 'bundle-')), 'index.js');
  writeFileSync(`${bundle}.map`, JSON.stringify(MAP));
  return bundle;
};

const frameAt = (position: string): string | undefined =>
  stackFrames({ name: 'Error', message: 'any', stack: `Error: any\n    at run (${position})` })[0];

describe('a frame', () => {
  it.each([
    ['3:5', 'lib/carts/cart.ts:10:3'],
    ['3:6', 'lib/carts/cart.ts:11:3'],
    ['4:1', 'lib/carts/cart.ts:12:3'],
    ['4:2', 'functions/get-cart/handler.ts:13:3'],
    ['4:3', '../scripts/other.ts:14:3'],
    ['12:11', '../scripts/other.ts:10:3'],
  ])('of a bundle has its position in the source: %s', (position, source) => {
    expect(frameAt(`${givenBundle()}:${position}`)).toBe(`at run (${source})`);
  });

  it('stays as it is without a source map, or without a source in it', () => {
    for (const position of [`${givenBundle()}:1:1`, `${FOLDER}/bare.js:3:5`]) {
      expect(frameAt(position)).toBe(`at run (${position})`);
    }
  });

  it('reads its source map once', () => {
    const bundle = givenBundle();
    frameAt(`${bundle}:3:5`);
    rmSync(`${bundle}.map`);
    expect(frameAt(`${bundle}:3:6`)).toBe('at run (lib/carts/cart.ts:11:3)');
  });
});

describe('the frames of an error', () => {
  it.each([
    [
      'have nothing else of the stack',
      'any',
      'Error: any\n    at a (/a.js:1:1)\nlook at b\n    at c (/c.js:1:1)',
    ],
    [
      'have no lines of the message',
      'b\n    at b',
      'Error: b\n    at b\n    at a (/a.js:1:1)\n    at c (/c.js:1:1)',
    ],
  ])('%s', (_, message, stack) => {
    const frames = ['at a (/a.js:1:1)', 'at c (/c.js:1:1)'];
    expect(stackFrames({ name: 'Error', message, stack })).toStrictEqual(frames);
  });

  it('are at most eight', () => {
    const stack = `Error: any${'\n    at a (/a.js:1:1)'.repeat(9)}`;
    expect(stackFrames({ name: 'Error', message: 'any', stack })).toHaveLength(8);
  });

  it('are empty without a stack, or if its message cannot be located in it', () => {
    const stack = 'Error: any\n    at the text of a request';
    expect(stackFrames({ name: 'Error', message: 'changed', stack })).toStrictEqual([]);
    for (const message of ['any', '']) expect(stackFrames({ name: 'Error', message })).toStrictEqual([]);
  });
});
