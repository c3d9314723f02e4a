import type { AuditFields } from './audit-log.ts';

/** The most ids of a list in a record. An event of CloudWatch Logs has at most 1 MB. */
const LISTED_MAX = 1_000;

/** The forms of API keys, signing secrets and e-mail addresses. */
const CONFIDENTIAL = /cck_|whsec_|@/;

const safeText = (text: string): string => (CONFIDENTIAL.test(text) ? 'withheld' : text);

const safeValue = (value: AuditFields[string]): AuditFields[string] => {
  if (typeof value === 'string') return safeText(value);
  return typeof value === 'object' ? value.slice(0, LISTED_MAX).map(safeText) : value;
};

/** Fields without confidential texts. No command passes one: this guards against a mistake. */
export const safeFields = (fields: AuditFields): AuditFields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, safeValue(value)]));
