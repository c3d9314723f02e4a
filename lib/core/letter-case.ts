/** A text that begins with an upper-case letter: `carts` becomes `Carts`. */
export const capitalised = <Text extends string>(text: Text): Capitalize<Text> =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}` as Capitalize<Text>;

/** A name in Pascal case: `get-cart` becomes `GetCart`, and `cart.payment_failed` becomes `CartPaymentFailed`. */
export const pascalCase = (name: string): string => name.split(/[-._]/).map(capitalised).join('');

/** The letters and digits of a name, in lower case: names that differ in case and separators have the same. */
export const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
