import type { IncomingHttpHeaders } from 'node:http';
import { OPERATIONS } from '../../../functions/operations.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { markup } from '../../../lib/pages/markup.ts';
import { DEMO_STORES, FIRST_CART } from '../../local-access/demo-stores.ts';
import type { Page } from '../gateway/gateway.ts';
import type { ApiResponse } from '../gateway/response.ts';
import { type PageRequest, pageRequestSchema } from './parts/elements.ts';
import { htmlPage, ownResponse } from './parts/html-page.ts';

/** The result of a form. */
interface Outcome {
  /** A sentence about it. */
  readonly message: string;
  readonly isError?: true;
  /** The page to go to. */
  readonly address?: string;
  /** Opens the page beside this one. The text of its link. */
  readonly opens?: string;
}

/** The fields of the responses that are used. */
interface Body {
  readonly message?: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
  readonly cart?: { readonly id: string };
  readonly redirectUrl?: string;
  readonly webhookEndpoint?: { readonly id: string };
}

const FOREIGN_FORM = 'This form is not from this stage.';

/** The body of the API's response, or an error message. */
type ApiResult = { readonly body: Body } | { readonly error: string };

type ApiCall = Omit<PageRequest, 'done' | 'question'> & { readonly json?: object };

/** Sends a request to the stage. A redirect is a success too: the sandbox redirects after an action. */
const send = async (baseUrl: string, call: ApiCall): Promise<ApiResult> => {
  const { method = 'POST', path, apiKey, form, json } = call;
  const url = URL.parse(path, baseUrl);
  if (!url?.href.startsWith(`${baseUrl}/`)) return { error: FOREIGN_FORM };
  const headers = new Headers({ 'X-Sent-By': 'dashboard' });
  if (apiKey !== undefined) headers.set('Authorization', `Bearer ${apiKey}`);
  if (json) headers.set('Content-Type', 'application/json');
  const body = form ? new URLSearchParams(form) : JSON.stringify(json);
  const response = await fetch(url, { method, headers, redirect: 'manual', ...(body && { body }) });
  const parsed = (parseJson(await response.text()) ?? {}) as Body;
  if (response.status < 400) return { body: parsed };
  return { error: parsed.details?.[0]?.message ?? parsed.message ?? `The status is ${response.status}.` };
};

const failed = (message: string): Outcome => ({ message, isError: true });

type Action = (baseUrl: string, fields: URLSearchParams, origin: string) => Promise<Outcome>;

/** The request of a button. `undefined` if no button of the stage made it. */
const requestIn = (fields: URLSearchParams): PageRequest | undefined =>
  pageRequestSchema.safeParse(parseJson(fields.get('request') ?? '')).data;

/** The actions of the forms, by their addresses. */
const ACTIONS: Readonly<Record<string, Action>> = {
  /** The request of a button. */
  '/send': async (baseUrl, fields) => {
    const request = requestIn(fields);
    if (!request) return failed(FOREIGN_FORM);
    const sent = await send(baseUrl, request);
    return 'error' in sent ? failed(sent.error) : { message: request.done };
  },

  /** A test cart for a product of a demo store. */
  '/carts': async (baseUrl, fields, origin) => {
    const productDocumentId = fields.get('product') ?? '';
    const store = DEMO_STORES.find(({ products }) => products.some(({ id }) => id === productDocumentId));
    const json = { ...FIRST_CART, productDocumentId, redirectURL: `${origin}/carts/{CART_ID}` };
    const sent = await send(baseUrl, {
      path: OPERATIONS.createCartCheckout.path,
      apiKey: store?.apiKey,
      json,
    });
    if ('error' in sent) return failed(sent.error);
    const { cart, redirectUrl = '' } = sent.body;
    return {
      message: `Cart ${cart?.id.slice(0, 8)}… is created.`,
      // At the name by which the user opened the dashboard.
      address: new URL(redirectUrl).pathname,
      opens: 'Open its payment page',
    };
  },

  /** An endpoint of a demo store. */
  '/endpoints': async (baseUrl, fields) => {
    const store = DEMO_STORES.find(({ id }) => id === fields.get('store'));
    const json = { url: fields.get('url') ?? '' };
    const { path } = OPERATIONS.createWebhookEndpoint;
    const sent = await send(baseUrl, { path, apiKey: store?.apiKey, json });
    if ('error' in sent) return failed(sent.error);
    return { message: 'The endpoint is added.', address: `/endpoints/${sent.body.webhookEndpoint?.id}` };
  },
};

/** The page that the browser was on. Pages of the stage send their address to the stage alone. */
const lastPage = ({ referer = '', host }: IncomingHttpHeaders): string => {
  const url = URL.parse(referer);
  // Two slashes at the beginning would name another site.
  return url?.host === host ? `${url?.pathname.replace(/^\/+/, '/')}${url?.search}` : '/';
};

/** The page of a question before a request, for a browser without scripts. */
const questionPage = ({ question = '', ...request }: PageRequest, back: string): ApiResponse =>
  htmlPage({
    title: question,
    current: '/',
    content: markup`<section><form method="post" action="/send">
<button class="danger" name="request" value="${JSON.stringify(request)}">Yes, go on</button> <a href="${back}">Cancel</a>
</form></section>`,
  });

const outcomePage = ({ message, isError, address }: Outcome, back: string): ApiResponse =>
  address !== undefined
    ? { status: 303, headers: [['Location', address]], body: '' }
    : htmlPage({
        title: isError ? 'That did not work' : 'Done',
        current: '/',
        status: isError ? 400 : 200,
        content: markup`<section><p>${message}</p><p><a href="${back}">Back</a></p></section>`,
      });

/**
 * Makes the function that finds the action of a form. The action sends the form's request to the API with a demo key. A script
 * gets the outcome as JSON, and a browser without scripts a page.
 */
export const formActions =
  (baseUrl: string) =>
  (path: string): Page | undefined => {
    const action = ACTIONS[path];
    if (!action) return undefined;
    return async (fields, headers) => {
      const { accept = '', host = '' } = headers;
      const isScript = accept.includes('application/json');
      const request = requestIn(fields);
      if (!isScript && request?.question !== undefined) return questionPage(request, lastPage(headers));
      const outcome = await action(baseUrl, fields, `http://${host}`);
      return isScript
        ? ownResponse('application/json', JSON.stringify(outcome))
        : outcomePage(outcome, lastPage(headers));
    };
  };
