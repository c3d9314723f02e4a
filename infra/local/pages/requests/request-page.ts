import { parseJson } from '../../../../lib/core/parse-json.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { type KeptBody, type LoggedRequest, LOGGED_REQUESTS_MAX } from '../../requests/request-log.ts';
import type { PageSources } from '../page-sources.ts';
import { codeBlock, codeTabs, type Samples } from '../parts/code.ts';
import { cartReference, copyable, factList, httpTone, pill, time } from '../parts/elements.ts';
import { type LivePage, livePages, missing } from '../parts/live-page.ts';
import { programsOf } from '../parts/programs.ts';

/** Bytes with a thousands separator. */
const bytesOf = ({ bytes }: KeptBody): string => `${bytes.toLocaleString('en')} bytes`;

/** Deeper JSON is shown as it is: its indents would be many times its length. */
const LEVELS_MAX = 50;

/** Whether a value is nested below so many levels. */
const isDeep = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeep(each, levels - 1)));

/** JSON with an indent, or the text as it is. */
const readable = (text: string): string => {
  const value = parseJson(text);
  const isStructured = typeof value === 'object' && value !== null && !isDeep(value, LEVELS_MAX);
  return isStructured ? JSON.stringify(value, undefined, 2) : text;
};

const bodyPart = (id: string, body: KeptBody | undefined): Markup => {
  if (!body) return markup`<p class="soft">The stage responded without reading the body.</p>`;
  if (body.bytes === 0) return markup`<p class="soft">It has no body.</p>`;
  return markup`${codeBlock(id, 'the body', readable(body.text))}
<p class="soft">${bytesOf(body)}${!body.isText && ', which are no text'}${!body.isWhole && ', of which these are the first'}</p>`;
};

const message = (
  id: string,
  heading: string,
  headers: LoggedRequest['headers'],
  body: KeptBody | undefined,
): Markup => markup`
<section>
<h2>${heading}</h2>
${bodyPart(`${id}-body`, body)}
<details id="${id}-headers"><summary>${String(headers.length)} headers</summary>
${factList(headers.map(([name, value]) => [name, markup`<code>${value}</code>`] as const))}</details>
</section>`;

/** The reason of an error response: its code, which leads to the page of errors, and its first detail or its message. */
export const reasonLine = ({ code, reason }: LoggedRequest): Markup | undefined =>
  code === undefined && reason === undefined
    ? undefined
    : markup`${code !== undefined && markup`<a class="keep" href="/errors#${code}">${code}</a>`} ${reason}`;

/** Headers that each client writes itself, and that of the dashboard. */
const OF_THE_CLIENT =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect|accept-encoding|user-agent|x-sent-by|origin|referer|sec-.*)$/i;

/** The path and the query of a target. A target may name another origin, but the stage got the request. */
const pathOf = (target: string): string => {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
};

/** Programs that send a request again, with its key and its idempotency key. They lack the headers that each client writes itself. */
export const replayOf = ({ method, target, headers, body }: LoggedRequest, baseUrl: string): Samples =>
  programsOf({
    method,
    url: baseUrl + pathOf(target),
    headers: headers.filter(([name]) => !OF_THE_CLIENT.test(name)),
    body: body?.text ?? '',
  });

/** Why no program can send a body again. */
const obstacleOf = (body: KeptBody | undefined): string | undefined => {
  if (body?.isWhole === false) return 'The body is too long.';
  return body?.isText === false ? 'The body is no text.' : undefined;
};

const render = (request: LoggedRequest, baseUrl: string): LivePage => {
  const { id, method, target, status, durationMs, timeMs, cartId, body } = request;
  const obstacle = obstacleOf(body);
  const live = markup`
<section>
<p class="row">${pill(String(status), httpTone(status))} ${reasonLine(request)}</p>
${factList([
  ['When', time(timeMs)],
  ['Duration', `${durationMs} ms`],
  ['Request id', copyable('request-id', 'the id of the request', id)],
  ['Cart', cartId !== undefined && status !== 404 ? cartReference(cartId) : undefined],
])}
</section>
${message('request', 'Request', request.headers, body)}
${message('response', 'Response', request.responseHeaders, request.responseBody)}
<section>
<h2>Send it again</h2>
${obstacle === undefined ? codeTabs('replay', 'the request', replayOf(request, baseUrl)) : markup`<p class="soft">${obstacle}</p>`}
</section>`;
  return { title: `${method} ${target}`, live };
};

/** Finds the page of a request, `/requests/{requestId}`, with the `X-Request-Id` of the response. */
export const requestPages = (baseUrl: string, { requests }: Pick<PageSources, 'requests'>) =>
  livePages(/^\/requests\/([\da-f-]{36})$/, async ([id]) => {
    const request = requests.list().find((each) => each.id === id);
    return request
      ? render(request, baseUrl)
      : missing('request', `A stage keeps its last ${LOGGED_REQUESTS_MAX} requests, until it ends.`);
  });
