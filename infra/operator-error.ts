/** Something that who runs the command can mend; printed as one sentence, without a stack trace. */
export class OperatorError extends Error {}
