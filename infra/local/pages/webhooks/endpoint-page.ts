import type { EndpointWithState } from '../../../../lib/endpoints/endpoint.ts';
import { EVENT_TYPES, PING_TYPE } from '../../../../lib/events/event-types.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { checkPath, type Trial, TRIALS } from '../../checklist/endpoint-check.ts';
import { isBuiltIn } from '../../demo/receiver.ts';
import type { PageSources } from '../page-sources.ts';
import {
  breakable,
  copyable,
  demoKeyOf,
  factList,
  pill,
  requestButton,
  tableSection,
  time,
} from '../parts/elements.ts';
import { type LivePage, livePages, missing } from '../parts/live-page.ts';
import { attemptHint, attemptStatus } from './attempt-text.ts';
import { deliveriesOf, deliveriesSection } from './delivery-parts.ts';
import {
  endpointName,
  endpointStatus,
  removeButton,
  shortEndpointName,
  testButton,
} from './endpoint-parts.ts';
import { receiverSection } from './receivers.ts';

/** Every type of test event. */
const TEST_TYPES = [PING_TYPE, ...EVENT_TYPES];

/** A button that checks how an endpoint of the user verifies signatures. */
export const checkButton = (endpoint: EndpointWithState, text: string): Markup | undefined =>
  demoKeyOf(endpoint) === undefined || endpoint.disabled || isBuiltIn(endpoint)
    ? undefined
    : requestButton(text, {
        path: checkPath(endpoint.endpointId),
        done: 'It accepted a valid event, and rejected a forged and an old one.',
      });

const testSection = (endpoint: EndpointWithState): Markup | undefined => {
  const buttons = TEST_TYPES.flatMap((type) => testButton(endpoint, type, type) ?? []);
  if (buttons.length === 0) return undefined;
  return markup`
<section>
<h2>Send a test event</h2>
<p class="row">${buttons}</p>
<p class="soft">A test event has <code>"test": true</code> and an example as its data. An endpoint gets at most one every 10 seconds.</p>
</section>`;
};

const verdict = ({ name, isPassed }: Trial): string => {
  if (isPassed) return name === 'valid' ? 'accepted, as it must be' : 'rejected, as it must be';
  return name === 'valid' ? 'must be accepted: respond with 2xx' : 'must be rejected: respond with 400';
};

const checkSection = (
  endpoint: EndpointWithState,
  trials: readonly Trial[] | undefined,
): Markup | undefined => {
  const button = checkButton(endpoint, trials ? 'Check again' : 'Check now');
  if (!button) return undefined;
  return tableSection({
    id: 'check',
    heading: 'Does it verify signatures?',
    items: trials ?? [],
    columns: {
      Request: ({ name }) => TRIALS[name],
      Result: (trial) => pill(attemptStatus(trial), trial.isPassed ? 'good' : 'bad'),
      Verdict: verdict,
      Response: (trial) => trial.response ?? (trial.isPassed ? undefined : attemptHint(trial, endpoint.url)),
    },
    empty: 'The check sends a valid event, a forged one, and one that was signed ten minutes ago.',
    note: markup`<p class="row">${button}</p>`,
  });
};

const factsOf = (endpoint: EndpointWithState, secret: string | undefined): Markup =>
  factList([
    ['Address', breakable(isBuiltIn(endpoint) ? endpointName(endpoint) : endpoint.url)],
    ['Store', `${endpoint.storeId}, ${endpoint.mode} mode`],
    ['Events', endpoint.eventTypes?.join(', ') ?? 'all events'],
    ['Secret', secret && copyable('secret', 'the secret', secret)],
    ['Id', copyable('endpoint-id', 'the id of the endpoint', endpoint.endpointId)],
    ['Created', time(endpoint.createdAtMs)],
  ]);

const noDelivery = ({ disabled }: EndpointWithState): string =>
  disabled
    ? 'There is no delivery. A disabled endpoint gets none.'
    : 'There is no delivery yet. Send a test event.';

const render = async (endpoint: EndpointWithState, sources: PageSources): Promise<LivePage> => {
  const { secrets, checks } = sources;
  // The stage is the user's own machine, and a demo store has no other user.
  const stored = demoKeyOf(endpoint) === undefined ? undefined : await secrets.find(endpoint.endpointId);
  const receiver = stored && !isBuiltIn(endpoint) && receiverSection(endpoint.url, stored.secret);
  const isNew = endpoint.state.lastSuccessAtMs === undefined;
  const live = markup`
<section>
<p class="row">${endpointStatus(endpoint)} ${removeButton(endpoint)}</p>
${factsOf(endpoint, stored?.secret)}
</section>
${isNew && receiver}
${testSection(endpoint)}
${checkSection(endpoint, checks.get(endpoint.endpointId))}
${deliveriesSection('Deliveries', await deliveriesOf(endpoint, sources.deliveries), noDelivery(endpoint), {})}
${!isNew && receiver}`;
  return { title: `Endpoint ${shortEndpointName(endpoint)}`, live };
};

/** Finds the page of a webhook endpoint, `/endpoints/{endpointId}`. */
export const endpointPages = (sources: PageSources) =>
  livePages(/^\/endpoints\/(we_\w+)$/, async ([endpointId = '']) => {
    const endpoint = await sources.endpoints.findById(endpointId);
    return endpoint
      ? render(endpoint, sources)
      : missing('endpoint', 'It was removed, or it is on another stage.');
  });
