// The requests of the dashboard: its buttons and forms call the API of the stage with a demo key.

import { showToast } from './toasts.js';

/** @param {string} id An element that the page has */
export const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @typedef {object} PageRequest
 * @property {'POST' | 'DELETE'} [method]
 * @property {string} path
 * @property {string} [apiKey]
 * @property {Record<string, string>} [form]
 * @property {object} [json]
 */

/**
 * Sends a request to the stage. A redirect is a success too: the sandbox redirects after an action.
 *
 * @param {PageRequest} request
 * @returns {Promise<any>} the body of the response
 * @throws {Error} with a sentence if the stage rejects the request, or does not respond
 */
const send = async ({ method = 'POST', path, apiKey, form, json }) => {
  const headers = new Headers({ 'X-Sent-By': 'dashboard' });
  if (apiKey) headers.set('Authorization', `Bearer ${apiKey}`);
  if (json) headers.set('Content-Type', 'application/json');
  const body = form ? new URLSearchParams(form) : JSON.stringify(json);
  /** @type {RequestInit} */
  const options = { method, headers, body, redirect: 'manual' };
  const response = await fetch(path, options).catch(() => {
    throw new Error('The stage does not respond. Start it again.');
  });
  if (response.type === 'opaqueredirect') return {};
  const value = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Error(value.details?.[0]?.message ?? value.message ?? `The status is ${response.status}.`);
  return value;
};

/**
 * Sends a request, and shows what happened.
 *
 * @param {HTMLElement} place
 * @param {() => Promise<(string | Node)[]>} act
 */
const report = async (place, act) => {
  try {
    place.replaceChildren(...(await act()));
    place.classList.remove('failed');
  } catch (error) {
    place.replaceChildren(/** @type {Error} */ (error).message);
    place.classList.add('failed');
  }
};

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-request]') : null;
  if (!button) return;
  const { done, ...request } = JSON.parse(String(button.getAttribute('data-request')));
  const act = async () => {
    try {
      await send(request);
      showToast(done);
    } catch (error) {
      showToast(/** @type {Error} */ (error).message, { isError: true });
    }
  };
  void act();
});

/**
 * Sends a form by a request of this script.
 *
 * @param {string} id
 * @param {string} placeId
 * @param {() => Promise<(string | Node)[]>} act
 */
const onSubmit = (id, placeId, act) => {
  document.getElementById(id)?.addEventListener('submit', (event) => {
    event.preventDefault();
    // A double click sends one request.
    const button = /** @type {HTMLButtonElement} */ (event.submitter);
    button.disabled = true;
    void report(find(placeId), act).finally(() => (button.disabled = false));
  });
};

/** @param {string} id A field of the page */
const valueOf = (id) => /** @type {HTMLInputElement | HTMLSelectElement} */ (find(id)).value;

/** A link to the payment page of a cart, which also opens if the browser permits. */
const openPaymentPage = (/** @type {string} */ redirectUrl) => {
  // At the name by which the user opened this page.
  const { pathname } = new URL(redirectUrl);
  open(pathname, '_blank', 'noopener');
  const attributes = { href: pathname, target: '_blank', textContent: 'Open its payment page' };
  return Object.assign(document.createElement('a'), attributes);
};

onSubmit('create', 'created', async () => {
  const select = /** @type {HTMLSelectElement} */ (find('product'));
  const { cart, redirectUrl } = await send({
    path: '/api/v1/stores/cart/checkout',
    apiKey: String(select.selectedOptions[0]?.getAttribute('data-key')),
    json: {
      ...JSON.parse(String(find('create').getAttribute('data-cart'))),
      productDocumentId: select.value,
      redirectURL: `${location.origin}/carts/{CART_ID}`,
    },
  });
  return [`Cart ${cart.id.slice(0, 8)}… is created. `, openPaymentPage(redirectUrl)];
});

/** The product and the key that the samples have. */
const option = () =>
  /** @type {HTMLSelectElement | null} */ (document.getElementById('product'))?.selectedOptions[0];
let sample = option();

// The samples create the chosen cart.
document.getElementById('product')?.addEventListener('change', () => {
  const chosen = option();
  for (const code of document.querySelectorAll('[id^=call-], [id^=call-] *')) {
    for (const part of code.childNodes) {
      if (!(part instanceof Text) || !chosen || !sample) continue;
      part.data = part.data
        .replaceAll(sample.value, chosen.value)
        .replaceAll(String(sample.getAttribute('data-key')), String(chosen.getAttribute('data-key')));
    }
  }
  sample = chosen;
});

onSubmit('endpoint', 'endpoint-result', async () => {
  const { webhookEndpoint } = await send({
    path: '/api/v1/stores/webhook-endpoints',
    apiKey: valueOf('store'),
    json: { url: valueOf('url') },
  });
  const page = `/endpoints/${webhookEndpoint.id}`;
  // Its page has the secret, and the command that starts a receiver.
  location.assign(page);
  return [Object.assign(document.createElement('a'), { href: page, textContent: 'The endpoint is added.' })];
});
