/** The log stream of a stage's audit log. The stack creates it, so that operators need no permission to create streams. */
export const AUDIT_STREAM = 'operate';
