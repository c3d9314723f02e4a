import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { animatedPng } from './animated-png.ts';

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([word(data.length), body, word(crc32(body))]);
};

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A grey picture of one row, whose data is in two chunks. */
const givenPng = (row: readonly number[]): Buffer => {
  const data = deflateSync(Buffer.from([0, ...row]));
  const header = Buffer.concat([word(row.length), word(1), Buffer.from([8, 0, 0, 0, 0])]);
  const parts = [chunk('IDAT', data.subarray(0, 4)), chunk('IDAT', data.subarray(4))];
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...parts, chunk('IEND', Buffer.alloc(0))]);
};

const chunksOf = (png: Buffer): [type: string, data: Buffer][] => {
  const chunks: [string, Buffer][] = [];
  for (let offset = 8; offset < png.length;) {
    const end = offset + 8 + png.readUInt32BE(offset);
    expect(png.readUInt32BE(end), 'checksum').toBe(crc32(png.subarray(offset + 4, end)));
    chunks.push([png.toString('latin1', offset + 4, offset + 8), png.subarray(offset + 8, end)]);
    offset = end + 4;
  }
  return chunks;
};

test('an animation has the data of each frame as it is, for its time, and numbers in their order', () => {
  const frames = [
    { png: givenPng([1, 2, 3]), shownMs: 1_500 },
    { png: givenPng([4, 5, 6]), shownMs: 20 },
  ];
  const chunks = chunksOf(animatedPng(frames, 3));
  const types = ['IHDR', 'acTL', 'fcTL', 'IDAT', 'IDAT', 'fcTL', 'fdAT', 'fdAT', 'IEND'];
  expect(chunks.map(([type]) => type)).toStrictEqual(types);
  expect(chunks[1]?.[1]).toStrictEqual(Buffer.concat([word(2), word(3)]));
  const controls = chunks.filter(([type]) => type === 'fcTL').map(([, data]) => data);
  expect(controls.map((data) => data.readUInt16BE(20) / data.readUInt16BE(22))).toStrictEqual([1.5, 0.02]);
  const numbered = chunks.filter(([type]) => type === 'fcTL' || type === 'fdAT');
  expect(numbered.map(([, data]) => data.readUInt32BE())).toStrictEqual([0, 1, 2, 3]);
  const second = chunks.filter(([type]) => type === 'fdAT').map(([, data]) => data.subarray(4));
  expect([...inflateSync(Buffer.concat(second))]).toStrictEqual([0, 4, 5, 6]);
});

test('frames of different sizes are rejected', () => {
  const frames = [[1], [1, 2]].map((row) => ({ png: givenPng(row), shownMs: 1 }));
  expect(() => animatedPng(frames, 1)).toThrow('differ in their size');
});
