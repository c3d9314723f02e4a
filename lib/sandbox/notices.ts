/** What a page tells once about the action that led to it: the values of the query's parameter `notice`. */
export const NOTICES = ['wrong_amount', 'too_many_payments', 'left'] as const;

export type Notice = (typeof NOTICES)[number];

/** The notice that a query asks for; anything else is none. */
export const parseNotice = (text: string | undefined): Notice | undefined =>
  NOTICES.find((notice) => notice === text);
