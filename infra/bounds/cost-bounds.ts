/** The most dollars of a million. `npm run bench` compares requests with measured bytes and milliseconds. */
export const DOLLARS_MAX = {
  createCartCheckout: 6.2,
  getCart: 4.95,
  payments: 9.95,
  deliveries: 4.3,
} as const;
