/** An error that the operator can fix. Its message is printed as one sentence, without a stack trace. */
export class OperatorError extends Error {}
