/** A text that begins with an upper-case letter: `carts` becomes `Carts`. */
export const capitalised = <Text extends string>(text: Text): Capitalize<Text> =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}` as Capitalize<Text>;

/** A name in Pascal case: `get-cart` becomes `GetCart`, and `cart.payment_failed` becomes `CartPaymentFailed`. */
export const pascalCase = (name: string): string => name.split(/[-._]/).map(capitalised).join('');
