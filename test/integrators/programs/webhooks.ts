import { invalid, rejected, type Programs } from '../support/program.ts';

const ENDPOINTS = '/api/v1/stores/webhook-endpoints';

const NOT_FOUND = rejected('webhookEndpointNotFound');

/** How programs manage webhook endpoints. */
export const programs: Programs = {
  /** TypeScript, code for another API: the types are in `enabled_events`. In live mode, the endpoint gets all types. */
  'endpoint-enabled-events': {
    creates: () => ({
      target: ENDPOINTS,
      body: { url: 'not an address', enabled_events: ['cart.completed'] },
    }),
    gets: {
      test: invalid({
        enabled_events: 'Unknown field enabled_events; did you mean eventTypes?',
        url: /https/,
      }),
      live: invalid({ url: /https/ }),
    },
  },
  /** Go, after a leak: the old secret must end at once, but the name is in snake case. */
  'endpoint-overlap-in-snake-case': {
    creates: () => ({ target: `${ENDPOINTS}/we_1/rotate-secret`, body: { overlap_seconds: 0 } }),
    gets: {
      test: invalid({ overlap_seconds: 'Unknown field overlap_seconds; did you mean overlapSeconds?' }),
      live: NOT_FOUND,
    },
  },
  /** PHP, a switch of a dashboard: `active` instead of `enabled`. In live mode, the endpoint stays as it is. */
  'endpoint-active': {
    creates: () => ({ method: 'PATCH', target: `${ENDPOINTS}/we_1`, body: { active: false } }),
    gets: {
      test: invalid({ active: 'Unknown field active; did you mean enabled?' }),
      live: NOT_FOUND,
    },
  },
  /** Python, a class whose unset fields are `None`: nothing changes. */
  'endpoint-nulls': {
    creates: () => ({ method: 'PATCH', target: `${ENDPOINTS}/we_1`, body: { url: null, enabled: null } }),
    gets: NOT_FOUND,
  },
  /** C#, one step for all requests: a deletion with the body of the last change. It loses nothing. */
  'endpoint-deleted-with-body': {
    creates: () => ({ method: 'DELETE', target: `${ENDPOINTS}/we_1`, body: { active: false, url: 'x' } }),
    gets: NOT_FOUND,
  },
  /** JavaScript, a test of a receiver: the type of the test event is in the body, which the operation does not read. */
  'test-event-in-body': {
    creates: () => ({ target: `${ENDPOINTS}/we_1/test`, body: { eventType: 'cart.completed' } }),
    gets: {
      test: invalid({ eventType: 'Unknown field eventType; send eventType in the query' }),
      live: NOT_FOUND,
    },
  },
  /** Ruby, a test of a receiver: the type has the name of another API. */
  'test-event-type': {
    creates: () => ({ target: `${ENDPOINTS}/we_1/test?type=cart.completed` }),
    gets: {
      test: invalid({ 'query.type': 'Unknown parameter type; did you mean eventType?' }),
      live: NOT_FOUND,
    },
  },
};
