/**
 * Reads a decimal number of at most 15 significant digits: a double keeps each of these. Returns `undefined` for any other
 * text. A whole number may have more digits, because no amount is as large.
 */
export const exactNumber = (text: string): number | undefined => {
  const [, whole = '', decimals = ''] = /^-?(\d+)(?:\.(?=\d)(\d*?)0*)?$/.exec(text) ?? [];
  const digits = `${whole}${decimals}`.replace(/^0+/, '');
  return whole !== '' && (decimals === '' || digits.length <= 15) ? Number(text) : undefined;
};
