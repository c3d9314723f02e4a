// The entry of every function on Lambda. It loads the bundle `index.js` beside it. Only an ES module can make init wait.
// The bundle is CommonJS: for an ES module, Node.js would evaluate all exports of its own modules (`docs/decisions.md`,
// "Operation").
import { createRequire } from 'node:module';

const bundle = /** @type {{ handler: unknown, ready?: Promise<unknown> }} */ (
  createRequire(import.meta.url)('./index.js')
);
await bundle.ready;

export const { handler } = bundle;
