/**
 * Reads a decimal number of at most 15 significant digits, of which a double keeps each. `undefined` for any other text: of more
 * digits, some would be lost unnoticed. A whole number may have more, because no amount is as large.
 */
export const exactNumber = (text: string): number | undefined => {
  const [, whole = '', decimals = ''] = /^-?(\d+)(?:\.(?=\d)(\d*?)0*)?$/.exec(text) ?? [];
  const digits = `${whole}${decimals}`.replace(/^0+/, '');
  return whole !== '' && (decimals === '' || digits.length <= 15) ? Number(text) : undefined;
};
