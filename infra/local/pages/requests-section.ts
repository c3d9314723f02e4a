import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import type { LoggedRequest } from '../request-log.ts';
import { cartReference, type Row, table, time } from './table.ts';

const classOf = (status: number): string => {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
};

const requestRow = (request: LoggedRequest): Row => {
  const { timeMs, method, path, status, code, cartId, isFromPage, durationMs } = request;
  return {
    style: isFromPage ? 'from-page' : undefined,
    cells: [
      time(timeMs),
      method,
      path,
      markup`<span class="${classOf(status)}">${String(status)}</span>`,
      markup`${code && markup`<a class="keep" href="/errors#${code}">${code}</a>`}`,
      markup`${cartId && (status === 404 ? cartId : cartReference(cartId))}`,
      markup`<span class="keep">${String(durationMs)} ms</span>`,
    ],
  };
};

/** The log of requests. The stylesheet hides those from pages of the stage, unless the user wants them. */
export const requestsSection = (requests: readonly LoggedRequest[]): Markup => {
  const isEmpty = requests.every(({ isFromPage }) => isFromPage);
  return markup`
<section>
<h2 id="requests">Requests</h2>
${isEmpty && markup`<p>No program has sent a request since the start. Run one of the commands above. Requests from pages of this stage are hidden.</p>`}
${
  requests.length > 0 &&
  markup`<div${isEmpty && markup` class="from-page"`}>${table(
    'requests',
    ['Time (UTC)', 'Method', 'Path', 'Status', 'Code', 'Cart', 'Duration'],
    requests.map(requestRow),
  )}</div>`
}
</section>`;
};
