/** Parses a JSON text. `undefined` if it is not JSON: the error of V8 would quote the text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
