import { parsePublicDeliveryId, publicDeliveryId } from '../../../../lib/deliveries/records/delivery-view.ts';
import { signedHeaders } from '../../../../lib/deliveries/sending/signature.ts';
import { testBody } from '../../../../lib/deliveries/test-events/test-body.ts';
import type { StoredSecret } from '../../../../lib/endpoints/secret-repository.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import type { PageSources } from '../page-sources.ts';
import { codeBlock, codeTabs, type Samples } from '../parts/code.ts';
import {
  cartReference,
  copyable,
  demoKeyOf,
  factList,
  httpTone,
  pill,
  requestButton,
  tableSection,
  time,
} from '../parts/elements.ts';
import { type LivePage, livePages, missing } from '../parts/live-page.ts';
import { programsOf } from '../parts/programs.ts';
import { attemptHint, attemptStatus } from './attempt-text.ts';
import { type Delivery, deliveryPill, nextAttempt } from './delivery-parts.ts';
import { apiPath, endpointReference } from './endpoint-parts.ts';
import { compareBytes } from './verified-bytes.ts';

/** The sent text, and the cart that it is about. */
interface SentEvent {
  readonly body: string;
  readonly cartId?: string | undefined;
}

/** Reads the sent event from the log. `undefined` if the log no longer has it. */
const sentBy = async (delivery: Delivery, { events, now }: PageSources): Promise<SentEvent | undefined> => {
  const { endpoint, sequence, eventId } = delivery;
  if (sequence === undefined) return { body: testBody(delivery, endpoint.mode) };
  const event = await events.find(endpoint, sequence, now());
  return event?.id === eventId ? event : undefined;
};

const SECRET_NOTE = markup`<p class="soft">These headers use the endpoint's current secret. An attempt before a rotation had another signature.</p>`;

/** A receiver takes a signature for five minutes. One of each minute leaves four of them. */
const REPLAY_MS = 60_000;

/** Programs that send the request again, with a new signature. */
const replayPrograms = (
  { eventId, endpoint }: Delivery,
  body: string,
  secret: StoredSecret,
  nowMs: number,
): Samples => {
  const signed = signedHeaders(eventId, body, secret, nowMs - (nowMs % REPLAY_MS));
  const headers = Object.entries(signed).filter(([name]) => /^(?:webhook-|content-type$)/.test(name));
  return programsOf({ method: 'POST', url: endpoint.url, headers, body });
};

/** The headers and the payload of the last attempt. The sender signs with the attempt's time, so the headers are the same. */
const requestSections = async (
  delivery: Delivery,
  { body }: SentEvent,
  { secrets, now }: PageSources,
): Promise<Markup> => {
  const last = delivery.attempts.at(-1);
  const secret = await secrets.find(delivery.endpointId);
  const headers = secret && last && Object.entries(signedHeaders(delivery.eventId, body, secret, last.atMs));
  return markup`
${
  headers &&
  markup`<section>
<h2 id="headers">Headers of the last attempt</h2>
${factList(headers.map(([name, value]) => [name, markup`<code>${value}</code>`]))}
${SECRET_NOTE}
</section>`
}
<section>
<h2>Payload</h2>
<p class="soft">Formatted here. The request has it in one line.</p>
${codeBlock('payload', 'the payload', JSON.stringify(JSON.parse(body), undefined, 2))}
</section>
${
  secret &&
  markup`<section>
<h2>Send it again yourself</h2>
<p class="soft">Its signature is new, and valid for about five minutes. The event has the same id: a receiver stores it once.</p>
${codeTabs('replay', 'the request', replayPrograms(delivery, body, secret, now()))}
</section>`
}`;
};

/** Why the last attempt failed: the receiver's sentence, the bytes that it verified, and what to check. */
const diagnosis = (
  { attempts, status, endpoint }: Delivery,
  sent: SentEvent | undefined,
): Markup | '' | undefined => {
  const last = attempts.at(-1);
  if (!last || status === 'succeeded') return undefined;
  const bytes = sent && compareBytes(sent.body, last.response);
  const said = last.response && `Your receiver responded: ${last.response}`;
  const reason = bytes?.conclusion ?? attemptHint(last, endpoint.url) ?? said;
  return (
    reason &&
    markup`
<section>
<h2>Why it failed</h2>
<p class="bad">${reason}</p>
${
  bytes &&
  factList([
    ['SHA-256 of the bytes sent', markup`<code>${bytes.sent}</code>`],
    ['SHA-256 of those verified', markup`<code>${bytes.verified}</code>`],
  ])
}
</section>`
  );
};

const EVENT_IS_GONE = markup`<section><p>The log no longer has the event: it keeps events for 30 days.</p></section>`;

const NO_ATTEMPT = markup`There is no attempt yet. The endpoint is paused or disabled: see its state in the list of <a href="/endpoints">endpoints</a>.`;

const resend = ({ endpoint, ...delivery }: Delivery): Markup | undefined => {
  const apiKey = demoKeyOf(endpoint);
  if (apiKey === undefined || endpoint.disabled || delivery.sequence === undefined) return undefined;
  return requestButton('Send again', {
    apiKey,
    path: `${apiPath(endpoint)}/deliveries/${publicDeliveryId(delivery)}/resend`,
    done: 'The event is on its way again.',
  });
};

const attemptsSection = ({ attempts, endpoint }: Delivery): Markup =>
  tableSection({
    id: 'attempts',
    heading: 'Attempts',
    items: attempts,
    columns: {
      Attempt: ({ attempt }) => String(attempt),
      Result: (attempt) => {
        const tone = attempt.status === undefined ? 'bad' : httpTone(attempt.status);
        return pill(attemptStatus(attempt), tone);
      },
      Duration: ({ ms }) => markup`<span class="keep">${String(ms)} ms</span>`,
      Response: (attempt) => attempt.response ?? attemptHint(attempt, endpoint.url),
      When: ({ atMs }) => time(atMs),
    },
    empty: NO_ATTEMPT,
  });

const render = async (delivery: Delivery, sources: PageSources): Promise<LivePage> => {
  const sent = await sentBy(delivery, sources);
  const { endpoint, recordedAtMs, eventId, type } = delivery;
  const live = markup`
<section>
<p class="row">${deliveryPill(delivery)} ${sent && resend(delivery)}</p>
${factList([
  [
    'Endpoint',
    markup`${endpointReference(endpoint)}, <span class="keep">${endpoint.storeId}</span>, ${endpoint.mode} mode`,
  ],
  ['Recorded', time(recordedAtMs)],
  ['Next try due', nextAttempt(delivery)],
  ['Event', copyable('event-id', 'the id of the event', eventId)],
  ['Cart', sent?.cartId && cartReference(sent.cartId)],
])}
</section>
${diagnosis(delivery, sent)}
${attemptsSection(delivery)}
${sent ? await requestSections(delivery, sent, sources) : EVENT_IS_GONE}`;
  return { title: `Webhook ${type}`, live };
};

/** Finds the page of a delivery, `/deliveries/{endpointId}/{deliveryId}`, with the id that merchants see. */
export const deliveryPages = (sources: PageSources) =>
  livePages(/^\/deliveries\/(we_\w+)\/(evt_\w+-\d+)$/, async ([endpointId = '', deliveryId = '']) => {
    const id = parsePublicDeliveryId(deliveryId);
    const endpoint = await sources.endpoints.findById(endpointId);
    const record = id && endpoint && (await sources.deliveries.find({ ...id, endpoint }));
    return record
      ? render({ ...record, endpoint }, sources)
      : missing('delivery', 'Its endpoint was deleted, or the delivery is older than 30 days.');
  });
