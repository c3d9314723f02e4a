import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../../infra/local/gateway/listen.ts';

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

const open = new Set<Server>();

/** Closes every server; for `afterAll`. */
export const closeLaterVersions = (): void => {
  for (const server of open) server.close().closeAllConnections();
};

/**
 * Serves a stage as a later version of it. Each object has an unknown field, each error an unknown code, and each page begins with
 * events of unknown types.
 *
 * @returns its address
 */
export const givenLaterVersion = async (stageUrl: string): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    const respond = async (): Promise<void> => {
      const { method = '', url = '', headers } = incoming;
      const { authorization = '', 'content-type': contentType } = headers;
      const response = await fetch(stageUrl + url, {
        method,
        headers: { authorization, ...(contentType !== undefined && { 'content-type': contentType }) },
        ...(method === 'POST' && { body: await text(incoming) }),
      });
      const body: unknown = JSON.parse(await response.text(), laterValue);
      outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    respond().catch(() => outgoing.destroy());
  });
  const port = await listen(server, '127.0.0.1', 0);
  open.add(server);
  return `http://127.0.0.1:${port}`;
};
