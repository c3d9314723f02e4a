/**
 * The gateway's line of a request: the facts that no function knows. `requestId` joins it with the function's line. `error`
 * is the gateway's own reason for a response without a function, such as `THROTTLED`, and `-` otherwise.
 */
const FIELDS = {
  requestId: '$context.requestId',
  status: '$context.status',
  error: '$context.error.responseType',
  bytes: '$context.responseLength',
  ms: '$context.responseLatency',
};

export const ACCESS_LOG_FORMAT = JSON.stringify(FIELDS);

/** The line while a stage has two addresses, with the host name that the client called. */
export const ACCESS_LOG_FORMAT_WITH_HOST = JSON.stringify({ ...FIELDS, host: '$context.domainName' });
