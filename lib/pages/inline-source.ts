import { createHash } from 'node:crypto';

/** The source in a Content Security Policy (Level 3, 2.3.1) that allows an inline style or script by its hash. */
export const inlineSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
