import { RECORDER_ACCESS } from '../../../functions/access.ts';
import { EVENT_FUNCTIONS, type EventFunctionName } from '../../../functions/event-functions.ts';
import { FUNCTIONS, type FunctionName } from '../../../functions/function-needs.ts';
import { limitsOf } from '../../stage/function-limits.ts';
import { type Handler, invoke } from '../gateway/invocation.ts';

/** The functions that events invoke. The local stage has no canary. */
export const EVENT_PATH_FUNCTIONS = (Object.keys(EVENT_FUNCTIONS) as EventFunctionName[]).filter(
  (name) => name !== 'canary',
);

type EventPathFunction = (typeof EVENT_PATH_FUNCTIONS)[number];

/** The handlers of {@link EVENT_PATH_FUNCTIONS}. */
export type EventHandlers = Readonly<Record<EventPathFunction, Handler<object, unknown>>>;

/** Whether a function may record events. */
const isRecorder = (name: string): boolean =>
  name in FUNCTIONS && FUNCTIONS[name as FunctionName].access.some((each) => RECORDER_ACCESS.includes(each));

/** Calls `onRecorded` after each invocation of a handler that may record events, also after an error. */
export const observeRecorders = <Handlers extends Readonly<Record<string, Handler<never, unknown>>>>(
  handlers: Handlers,
  onRecorded: () => void,
): Handlers => {
  const recorders = Object.entries(handlers).filter(([name]) => isRecorder(name));
  const observed = recorders.map(([name, handler]): [string, typeof handler] => [
    name,
    (event, context) => handler(event, context).finally(onRecorded),
  ]);
  return { ...handlers, ...Object.fromEntries(observed) };
};

/** Creates the call that invokes a function with an event. */
export const invoker =
  (handlers: Promise<EventHandlers>, functionName: EventPathFunction) =>
  async <Result>(event: object): Promise<Result> => {
    const timeoutMs = 1_000 * limitsOf(functionName).timeoutSeconds;
    const handler = (await handlers)[functionName];
    return invoke(handler, event, { functionName, timeoutMs }) as Promise<Result>;
  };
