import { SANDBOX_CHECKOUT_PATH } from '../../../functions/operations.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import { type LoggedRequest, LOGGED_REQUESTS_MAX } from '../request-log.ts';
import { cartReference, table } from './table.ts';

const classOf = (status: number): string => {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
};

const codeLink = (code: string): Markup => markup`<a class="keep" href="/errors#${code}">${code}</a>`;

/** The row of a request. The page's script finds its id. */
const requestRow = (request: LoggedRequest): Markup => {
  const { id, timeMs, method, path, status, code, cartId, hasSandboxPage, durationMs } = request;
  const text = new Date(timeMs).toISOString();
  const cells = [
    markup`<td role="cell"><time datetime="${text}">${text.slice(11, 19)}</time></td>`,
    markup`<td role="cell">${method}</td>`,
    markup`<td role="cell" class="keep">${path}</td>`,
    markup`<td role="cell" class="${classOf(status)}">${String(status)}</td>`,
    markup`<td role="cell">${code && codeLink(code)}</td>`,
    markup`<td role="cell" class="keep">${cartId && cartReference(cartId, hasSandboxPage ? SANDBOX_CHECKOUT_PATH : undefined)}</td>`,
    markup`<td role="cell" class="number">${String(durationMs)} ms</td>`,
  ];
  return markup`<tr role="row" data-id="${String(id)}">${cells}</tr>\n`;
};

export const requestRows = (requests: readonly LoggedRequest[]): Markup =>
  markup`${requests.map(requestRow)}`;

const NO_REQUEST = markup`<tr role="row" id="no-request"><td role="cell" colspan="7">There is no request yet. Run the command above.</td></tr>\n`;

/** The log of requests. The page's script adds new rows, and replaces the sentence. */
export const requestsSection = (requests: readonly LoggedRequest[]): Markup => markup`
<section data-requests-max="${String(LOGGED_REQUESTS_MAX)}">
<div class="row">
<h2 id="requests">Requests</h2>
<p class="soft" id="live" role="status">Reload this page to see new requests.</p>
<button type="button" id="pause" hidden>Pause</button>
</div>
${table(
  'requests',
  ['Time (UTC)', 'Method', 'Path', 'Status', 'Code', 'Cart', { number: 'Duration' }],
  requests.length === 0 ? [NO_REQUEST] : [requestRows(requests)],
)}
</section>`;
