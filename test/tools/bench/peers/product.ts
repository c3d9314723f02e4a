/** The one product that the peers sell, at the price of a cart of the benchmark. */
export const PRODUCT_NAME = 'Workshop';
export const PRICE = 49.9;
