// The entry of every function on Lambda, beside its bundle `index.js`. Only an ES module can make init wait, and only for a
// CommonJS bundle Node.js does not evaluate all exports of each of its own modules.
import { createRequire } from 'node:module';

const bundle = /** @type {{ handler: unknown, ready?: Promise<unknown> }} */ (
  createRequire(import.meta.url)('./index.js')
);
await bundle.ready;

export const { handler } = bundle;
