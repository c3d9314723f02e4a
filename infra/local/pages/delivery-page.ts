import { type Markup, markup } from '../../../lib/pages/markup.ts';
import { testBody } from '../../../lib/deliveries/test-event.ts';
import { parsePublicDeliveryId, publicDeliveryId } from '../../../lib/deliveries/delivery-view.ts';
import { signedHeaders } from '../../../lib/deliveries/signature.ts';
import { type LivePage, livePages, missing } from './live-page.ts';
import { cartReference, demoKeyOf, factList, requestButton, tableSection, time } from './parts.ts';
import type { PageRepositories } from './page-repositories.ts';
import { type Delivery, deliveryPill, endpointName } from './webhook-sections.ts';

/** The sent text, and the cart that it is about. */
interface Sent {
  readonly body: string;
  readonly cartId?: string | undefined;
}

/** Reads the sent event from the log. `undefined` if the log no longer has it. */
const sentBy = async (delivery: Delivery, { events, now }: PageRepositories): Promise<Sent | undefined> => {
  const { endpoint, sequence, eventId } = delivery;
  if (sequence === undefined) return { body: testBody(delivery, endpoint.mode) };
  const event = await events.find(endpoint, sequence, now());
  return event?.id === eventId ? event : undefined;
};

const SECRET_NOTE = markup`<p class="soft">These headers use the endpoint's current secret. An attempt before a rotation had another signature.</p>`;

/** The headers and the payload of the last attempt. The sender signs with the attempt's time, so the headers are the same. */
const request = async (
  delivery: Delivery,
  { body }: Sent,
  { secrets }: PageRepositories,
): Promise<Markup> => {
  const last = delivery.attempts.at(-1);
  const secret = await secrets.find(delivery.endpointId);
  const headers = secret && last && Object.entries(signedHeaders(delivery.eventId, body, secret, last.atMs));
  return markup`
${
  headers &&
  tableSection({
    id: 'headers',
    heading: 'Headers of the last attempt',
    items: headers,
    columns: { Header: ([name]) => name, Value: ([, value]) => value },
    note: SECRET_NOTE,
  })
}
<section>
<h2>Payload</h2>
<pre tabindex="0"><code>${JSON.stringify(JSON.parse(body), undefined, 2)}</code></pre>
</section>`;
};

const EVENT_IS_GONE = markup`<section><p>The log no longer has the event: it keeps events for 30 days.</p></section>`;

const NO_ATTEMPT = markup`There is no attempt yet. The endpoint is paused or disabled: see its state on the <a href="/#endpoints">dashboard</a>.`;

const resend = ({ endpoint, ...delivery }: Delivery): Markup | undefined => {
  const apiKey = demoKeyOf(endpoint);
  if (apiKey === undefined || endpoint.disabled || delivery.sequence === undefined) return undefined;
  return requestButton('Send again', {
    apiKey,
    path: `/api/v1/stores/webhook-endpoints/${delivery.endpointId}/deliveries/${publicDeliveryId(delivery)}/resend`,
    done: 'The event is on its way again.',
  });
};

const render = async (delivery: Delivery, repositories: PageRepositories): Promise<LivePage> => {
  const sent = await sentBy(delivery, repositories);
  const { endpoint, attempts, recordedAtMs } = delivery;
  const live = markup`
<section>
<p class="row">${deliveryPill(delivery)} ${sent && resend(delivery)}</p>
${factList([
  ['Endpoint', `${endpointName(endpoint)}, ${endpoint.storeId}, ${endpoint.mode} mode`],
  ['Recorded', time(recordedAtMs)],
  ['Event', markup`<code>${delivery.eventId}</code>`],
  ['Cart', sent?.cartId && cartReference(sent.cartId)],
])}
</section>
${tableSection({
  id: 'attempts',
  heading: 'Attempts',
  items: attempts,
  columns: {
    Attempt: ({ attempt }) => String(attempt),
    Time: ({ atMs }) => time(atMs),
    Status: ({ status, error }) => String(status ?? error),
    Duration: ({ ms }) => `${ms} ms`,
    Response: ({ response }) => response,
  },
  empty: NO_ATTEMPT,
})}
${sent ? await request(delivery, sent, repositories) : EVENT_IS_GONE}`;
  return { title: `Webhook ${delivery.type}`, live };
};

/** Finds the page of a delivery, `/deliveries/{endpointId}/{deliveryId}`, with the id that merchants see. */
export const deliveryPages = (repositories: PageRepositories) =>
  livePages(/^\/deliveries\/(we_\w+)\/(evt_\w+-\d+)$/, async (endpointId, deliveryId) => {
    const id = parsePublicDeliveryId(deliveryId);
    const endpoint = (await repositories.endpoints.list()).find((each) => each.endpointId === endpointId);
    const record = id && endpoint && (await repositories.deliveries.find({ ...id, endpoint }));
    return record
      ? render({ ...record, endpoint }, repositories)
      : missing('delivery', 'Its endpoint was deleted, or the delivery is older than 30 days.');
  });
