/** The characters that SQS rejects in a message and that JSON leaves unescaped. */
const REJECTED = /[\ufffe\uffff]/g;

/** The JSON text of a value as the body of a message, with the characters escaped that SQS rejects. */
export const toQueueText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(REJECTED, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
