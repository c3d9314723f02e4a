import type { EVENT_FUNCTIONS, EventFunctionName } from '../../../functions/event-functions.ts';
import type { Setting } from '../../../lib/settings/settings.ts';

/** The functions with this setting. */
type FunctionWith<Own extends Setting> = {
  [Name in EventFunctionName]: Own extends (typeof EVENT_FUNCTIONS)[Name]['settings'][number] ? Name : never;
}[EventFunctionName];

/**
 * The types of the events that a function may put on the bus, as IAM patterns. EventBridge checks each entry of a call:
 * `NotAuthorizedForDetailTypeException` in
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html
 */
export const BUS_TYPES: Readonly<Record<FunctionWith<'eventBusName'>, readonly string[]>> = {
  // Every type of a log. After a rollback, the log may have one of a later release.
  'fan-out-events': ['cart.*', 'webhook_endpoint.*'],
};
