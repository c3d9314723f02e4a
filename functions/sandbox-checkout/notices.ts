/** The notices about the last action: the values of the query parameter `notice`. */
const NOTICES = ['wrong_amount', 'too_many_payments', 'has_payment', 'nothing_to_refund', 'left'] as const;

export type Notice = (typeof NOTICES)[number];

/** Parses the query parameter `notice`. Returns `undefined` if it is absent or unknown. */
export const parseNotice = (text: string | undefined): Notice | undefined =>
  NOTICES.find((notice) => notice === text);

/** The notices about an action that the service rejected. */
export const REJECTION_NOTICES: ReadonlySet<Notice> = new Set([
  'wrong_amount',
  'too_many_payments',
  'has_payment',
  'nothing_to_refund',
]);

/** The notices that a receipt can have. */
export const RECEIPT_NOTICES: ReadonlySet<Notice | undefined> = new Set(['has_payment', 'nothing_to_refund']);
