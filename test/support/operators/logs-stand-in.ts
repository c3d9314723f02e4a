type Call = Readonly<Record<string, unknown>>;

/** A line of CloudWatch Logs. */
interface LogEvent {
  readonly timestamp: number;
  readonly message: string;
}

/** The most events on a page of FilterLogEvents, so that a list has several pages. */
const PAGE_SIZE = 3;

/** CloudWatch Logs in memory. It has one log group, whatever its name is. */
export const createLogGroups = () => {
  const events: LogEvent[] = [];
  let respond: (action: string) => object | undefined = () => undefined;
  const put = ({ logEvents }: Call): object => {
    events.push(...(logEvents as readonly LogEvent[]));
    return {};
  };
  /** Like AWS, it may respond with an empty page although others follow. */
  const filter = ({ startTime = 0, nextToken }: Call): object => {
    if (nextToken === undefined) return { events: [], nextToken: '0' };
    const fitting = events.filter(({ timestamp }) => timestamp >= Number(startTime));
    const end = Number(nextToken) + PAGE_SIZE;
    return {
      events: fitting.slice(Number(nextToken), end),
      ...(end < fitting.length && { nextToken: String(end) }),
    };
  };
  return {
    /** All lines, in the order in which they were put. */
    events,
    /** Replaces the responses to later calls, unless it returns `undefined`. One with a `__type` is an error. */
    onCall: (next: typeof respond): void => {
      respond = next;
    },
    handle: (action: string, call: Call): object | undefined => {
      const response = respond(action);
      if (response) return response;
      if (action === 'PutLogEvents') return put(call);
      return action === 'FilterLogEvents' ? filter(call) : undefined;
    },
  };
};
