import { givenApiProxy } from '../../support/examples/api-proxy.ts';

export const LATER_CODE = 'LATER_CODE';

/** The types of the events that a later version adds: one with the data of a cart, and one with other data. */
export const LATER_TYPES = ['cart.later', 'store.later'] as const;

interface Event {
  readonly type: string;
  readonly data: unknown;
}

const laterEvents = ([first, ...others]: readonly Event[]): readonly (Event | undefined)[] => [
  first && { ...first, type: LATER_TYPES[0] },
  first && { ...first, type: LATER_TYPES[1], data: { laterId: 1 } },
  first,
  ...others,
];

/** The values of metadata are the merchant's own. */
const isOpenObject = (name: string, value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && name !== 'meta';

const laterValue = (name: string, value: unknown): unknown => {
  if (name === 'code') return LATER_CODE;
  if (name === 'events') return laterEvents(value as readonly Event[]);
  return isOpenObject(name, value) ? { ...value, laterField: { later: true } } : value;
};

/**
 * Serves a stage as a later version of it. Each object has an unknown field, each error an unknown code, and each page begins with
 * events of unknown types.
 *
 * @returns its address
 */
export const givenLaterVersion = async (stageUrl: string): Promise<string> => {
  const change = (body: Buffer): Buffer =>
    Buffer.from(JSON.stringify(JSON.parse(body.toString(), laterValue)));
  return (await givenApiProxy(stageUrl, undefined, change)).baseUrl;
};
