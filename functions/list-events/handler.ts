import { type Authenticator, createStoredAuthenticator } from '../../lib/api-keys/authenticator.ts';
import type { Clock } from '../../lib/core/clock.ts';
import type { DocumentClient } from '../../lib/database/documents.ts';
import { createEventRepository, type EventRepository } from '../../lib/events/event-repository.ts';
import { FEED_FOREIGN_NAMES, feedRequestSchema } from '../../lib/events/feed-request.ts';
import { type FeedPage, type FeedRead, readFeed } from '../../lib/events/feed.ts';
import { apiOperation } from '../../lib/http/api-operation.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { inputOf } from '../../lib/http/operation-input.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { startFunction } from '../../lib/http/start-function.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { settingNamesOf } from '../function-needs.ts';
import { logNameOf } from '../operations.ts';

interface Dependencies {
  readonly authenticator: Authenticator;
  readonly events: EventRepository;
  readonly now: Clock;
}

type Rejection = Extract<FeedRead, { outcome: 'rejected' }>['reason'];

const MESSAGES: Readonly<Record<Rejection, string>> = {
  badCursor: 'Must be a cursor of this store and mode',
  expiredCursor:
    'Events after this cursor are no longer kept. Retrieve the carts that you wait for, then read without a cursor',
};

/** The JSON of a page. It copies the JSON of each event, so that all readers get the same bytes. */
const jsonOf = ({ events, cursor, hasMore }: FeedPage): string => {
  const rest = JSON.stringify({ cursor, hasMore }).slice(1);
  return `{"events":[${events.map(({ body }) => body).join(',')}],${rest}`;
};

/** GET /api/v1/stores/events: the events of the key's store and mode (`docs/contract.md`, "Endpoints"). */
export const listEvents = ({ authenticator, events, now }: Dependencies): ProxyFunction =>
  apiOperation({
    logName: logNameOf('listEvents'),
    ...inputOf(feedRequestSchema, FEED_FOREIGN_NAMES),
    authenticator,
    now,
    // The read needs the store of the key, so it waits for the authentication.
    handle: async ({ apiKey, input, nowMs, signal }) => {
      const read = await readFeed({ storeMode: apiKey, ...input, nowMs }, events, signal);
      if (read.outcome === 'rejected') {
        throw new ApiError('invalidPayload', [{ path: 'query.after', message: MESSAGES[read.reason] }]);
      }
      return { statusCode: 200, body: jsonOf(read.page) };
    },
  });

const createDependencies = (documents: DocumentClient): Dependencies => {
  const settings = readSettings(settingNamesOf('list-events'));
  return {
    authenticator: createStoredAuthenticator(documents, settings.apiKeysTable),
    events: createEventRepository(documents, settings.eventsTable),
    now: Date.now,
  };
};

export const { handler, ready } = startFunction({
  createHandler: listEvents,
  createDependencies,
  warmUp: ({ authenticator }, unknownId) => [authenticator.authenticate(unknownId, Date.now)],
});
