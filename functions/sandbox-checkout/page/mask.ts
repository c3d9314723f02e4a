const HIDDEN = '•••';

/**
 * Masks an e-mail address, so that the buyer recognises it and nobody else learns it. It keeps the domain, and the
 * first character of a local part of at least three.
 */
export const maskEmail = (email: string): string => {
  const [, first = '', domain = ''] = /^(?:(.).{2,}|.{0,2})(@[^@]*)$/su.exec(email) ?? [];
  return `${first}${HIDDEN}${domain}`;
};

/** Masks a phone number in the same way. It keeps the last two characters of at least six. */
export const maskPhone = (phone: string): string => {
  const [, end = ''] = /^.{4,}(..)$/su.exec(phone) ?? [];
  return `${HIDDEN}${end}`;
};
