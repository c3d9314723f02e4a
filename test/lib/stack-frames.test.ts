import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stackFrames } from '../../lib/stack-frames.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'stack-frames-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const MAP = {
  version: 3,
  sources: ['../../../lib/carts/cart.ts', '../../../functions/get-cart.ts', '../scripts/other.ts'],
  names: [],
  // Base64 VLQ: 3:5 is line 10, column 3 of the first source; 3:6 is 11:3 and 4:1 is 12:3 of it; 4:2 is 13:3 of the
  // second, 4:3 is 14:3 of the third.
  mappings: ';;IASE,CACA;AACA,CCCA,CCCA',
};

/** A bundle with its source map. */
const givenBundle = (name: string, mappings = MAP.mappings): string => {
  const bundle = join(FOLDER, name);
  writeFileSync(`${bundle}.map`, JSON.stringify({ ...MAP, mappings }));
  return bundle;
};

const framesAt = (...positions: readonly string[]): string[] => {
  const frames = positions.map((position) => `    at run (${position})`);
  return stackFrames(Object.assign(new Error('any'), { stack: ['Error: any', ...frames].join('\n') }));
};

describe('a frame of a bundle', () => {
  it('is told in the terms of its source, by a path in the project', () => {
    const bundle = givenBundle('index.js');
    expect(framesAt(`${bundle}:3:5`, `${bundle}:3:6`, `${bundle}:4:1`, `${bundle}:4:2`)).toStrictEqual([
      'at run (lib/carts/cart.ts:10:3)',
      'at run (lib/carts/cart.ts:11:3)',
      'at run (lib/carts/cart.ts:12:3)',
      'at run (functions/get-cart.ts:13:3)',
    ]);
  });

  it('may be far down in its bundle, and far to the right', () => {
    // UASE: column 11 is line 10, column 3 of the first source.
    const bundle = givenBundle('long.js', `${';'.repeat(11)}UASE`);
    expect(framesAt(`${bundle}:12:11`)).toStrictEqual(['at run (lib/carts/cart.ts:10:3)']);
  });

  it('keeps the path of a source that is none of ours', () => {
    expect(framesAt(`${givenBundle('other.js')}:4:3`)).toStrictEqual(['at run (../scripts/other.ts:14:3)']);
  });

  it('stays as it is where the source map does not tell its source', () => {
    const bundle = givenBundle('banner.js');
    expect(framesAt(`${bundle}:1:1`)).toStrictEqual([`at run (${bundle}:1:1)`]);
  });

  it('stays as it is where there is no source map', () => {
    const file = join(FOLDER, 'bare.js');
    expect(framesAt(`${file}:3:5`)).toStrictEqual([`at run (${file}:3:5)`]);
  });

  it('costs the reading of its source map once', () => {
    const bundle = givenBundle('once.js');
    framesAt(`${bundle}:3:5`);
    rmSync(`${bundle}.map`);
    expect(framesAt(`${bundle}:3:6`)).toStrictEqual(['at run (lib/carts/cart.ts:11:3)']);
  });
});

describe('the frames of an error', () => {
  it('are none where its stack does not hold its message, whose lines might be taken for them', () => {
    const stack = 'Error: any\n    at the text of a request';
    expect(stackFrames({ name: 'Error', message: 'changed', stack })).toStrictEqual([]);
  });

  it('are told without what else its stack holds', () => {
    const stack = 'Error: any\n    at run (/a.js:1:1)\nlook at /b.js:1:1\n    at end (/c.js:1:1)';
    expect(stackFrames({ name: 'Error', message: 'any', stack })).toStrictEqual([
      'at run (/a.js:1:1)',
      'at end (/c.js:1:1)',
    ]);
  });

  it('are none where it has no stack', () => {
    expect(stackFrames({ name: 'Error', message: 'any' })).toStrictEqual([]);
    expect(stackFrames({ name: 'Error', message: '' })).toStrictEqual([]);
  });
});
