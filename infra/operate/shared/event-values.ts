import { EVENT_TYPES } from '../../../lib/events/event-types.ts';
import type { ValueType } from '../frame/parameter.ts';
import { patternOf, typeOf } from '../frame/value-types.ts';

export const EVENT_ID = patternOf('id', 'It must be evt_ and 32 hexadecimal digits.', /^evt_[0-9a-f]{32}$/);

/** Types of events, in the order of their declaration. */
export const EVENT_TYPE_LIST: ValueType<readonly string[]> = typeOf(
  'types',
  `They must be some of ${EVENT_TYPES.join(', ')}, separated by commas.`,
  (text) => {
    const words = text.split(',').map((word) => word.trim());
    const types = EVENT_TYPES.filter((type) => words.includes(type));
    return words.every((word) => types.some((type) => type === word)) ? types : undefined;
  },
);
