import { SANDBOX_CHECKOUT_PATH } from '../../../functions/operations.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import type { LoggedRequest } from '../request-log.ts';
import { cartReference, row, table, time } from './table.ts';

const classOf = (status: number): string => {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
};

const requestRow = (request: LoggedRequest): Markup => {
  const { timeMs, method, path, status, code, cartId, hasSandboxPage, durationMs } = request;
  return row([
    time(timeMs),
    method,
    markup`<span class="keep">${path}</span>`,
    markup`<span class="${classOf(status)}">${String(status)}</span>`,
    markup`${code && markup`<a class="keep" href="/errors#${code}">${code}</a>`}`,
    markup`${cartId && cartReference(cartId, hasSandboxPage ? SANDBOX_CHECKOUT_PATH : undefined)}`,
    markup`<span class="keep">${String(durationMs)} ms</span>`,
  ]);
};

/** The log of requests. */
export const requestsSection = (requests: readonly LoggedRequest[]): Markup => markup`
<section>
<h2 id="requests">Requests</h2>
${
  requests.length === 0
    ? markup`<p>There is no request yet. Run the command above.</p>`
    : table(
        'requests',
        ['Time (UTC)', 'Method', 'Path', 'Status', 'Code', 'Cart', 'Duration'],
        requests.map(requestRow),
      )
}
</section>`;
