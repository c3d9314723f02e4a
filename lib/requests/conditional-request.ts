/** The header by which a client names the body that it has. Names of headers are in lower case. */
export const IF_NONE_MATCH = 'if-none-match';
