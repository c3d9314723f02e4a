/**
 * The gateway's line of a request: the facts that no function knows. `requestId` joins it with the function's line. `error`
 * is the gateway's own reason for a response without a function, such as `THROTTLED`, and `-` otherwise.
 */
export const ACCESS_LOG_FORMAT = JSON.stringify({
  requestId: '$context.requestId',
  status: '$context.status',
  error: '$context.error.responseType',
  bytes: '$context.responseLength',
  ms: '$context.responseLatency',
});
