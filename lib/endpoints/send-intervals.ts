/** The least time between two test events of an endpoint, and between two resends. */
export const SEND_INTERVAL_SECONDS = 10;

/** The least time between two test events while the breaker is open. Each of them is then a probe. */
export const OPEN_TEST_INTERVAL_SECONDS = 60;
