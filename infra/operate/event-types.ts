import { InvalidArgumentError } from 'commander';
import { EVENT_TYPES, type EventType } from '../../lib/events/store-event.ts';

const isEventType = (text: string): text is EventType => EVENT_TYPES.some((type) => type === text);

/** Reads types of events, separated by commas. */
export const parseEventTypes = (text: string): readonly EventType[] => {
  const types = text.split(',').map((type) => type.trim());
  if (types.every(isEventType)) return EVENT_TYPES.filter((type) => types.includes(type));
  throw new InvalidArgumentError(`They must be some of ${EVENT_TYPES.join(', ')}, separated by commas.`);
};
