/** The log stream of the changes that merchants make, in the audit log of the stage. Operators' commands have another. */
export const MERCHANT_AUDIT_STREAM = 'merchants';
