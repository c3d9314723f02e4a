import { crc32 } from 'node:zlib';

/** A picture of an animation, and how long it is shown. */
export interface Frame {
  /** A PNG file. All frames have the same size and colour type. */
  readonly png: Buffer;
  readonly shownMs: number;
}

const SIGNATURE_BYTES = 8;

/** The chunks of a PNG file (PNG, Third Edition, 5.2), by their types. */
const chunksOf = (png: Buffer): readonly { readonly type: string; readonly data: Buffer }[] => {
  const chunks = [];
  for (let offset = SIGNATURE_BYTES; offset < png.length;) {
    const length = png.readUInt32BE(offset);
    const data = png.subarray(offset + 8, offset + 8 + length);
    chunks.push({ type: png.toString('latin1', offset + 4, offset + 8), data });
    offset += length + 12;
  }
  return chunks;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

/** Big-endian numbers of 32 bits. */
const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

/** The control of a frame (11.3.6.2): it replaces the whole picture. */
const control = (sequence: number, size: Buffer, shownMs: number): Buffer => {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(shownMs, 0);
  delay.writeUInt16BE(1_000, 2);
  return chunk('fcTL', Buffer.concat([words(sequence), size, words(0, 0), delay]));
};

/**
 * Makes an animated PNG, which every browser shows, out of still ones. It needs no decoder: the data of the frames stays as it is.
 *
 * @param playsMax how often the animation runs before it rests on its last frame
 * @throws Error if the frames differ in their size or colour type
 */
export const animatedPng = (frames: readonly Frame[], playsMax: number): Buffer => {
  const [first] = frames;
  if (!first) throw new Error('An animation needs a frame');
  const header = chunksOf(first.png)[0]?.data ?? Buffer.alloc(0);
  const parts = [
    first.png.subarray(0, SIGNATURE_BYTES),
    chunk('IHDR', header),
    chunk('acTL', words(frames.length, playsMax)),
  ];
  let sequence = 0;
  for (const { png, shownMs } of frames) {
    const [own, ...others] = chunksOf(png);
    if (!own?.data.equals(header)) throw new Error('The frames differ in their size or colour type');
    parts.push(control(sequence++, header.subarray(0, 8), shownMs));
    for (const { data } of others.filter(({ type }) => type === 'IDAT')) {
      const isFirst = png === first.png;
      parts.push(isFirst ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([words(sequence++), data])));
    }
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
};
