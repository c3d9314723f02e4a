// The script of the page at `/docs`: it starts Swagger UI, with plugins of our own.

/** @typedef {any} System What Swagger UI passes to a plugin. It has no types. */

const root = /** @type {HTMLElement} */ (document.querySelector('#swagger-ui'));
const { SwaggerUIBundle } = /** @type {System} */ (globalThis);

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const applyScheme = () => document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
darkScheme.addEventListener('change', applyScheme);
applyScheme();

/**
 * Adds a link to the payment page to the response of a request that was tried.
 *
 * @param {System} Original
 * @param {System} system
 */
const withPaymentLink = (Original, { React: { createElement } }) => {
  /** @param {System} props */
  const LiveResponse = (props) => {
    const [, href] = /"redirectUrl":"(https?:[^"]+)"/.exec(props.response?.get('text')) ?? [];
    const link = createElement('a', { href, target: '_blank', rel: 'noopener' }, href);
    return createElement(
      'div',
      null,
      href && createElement('p', { className: 'payment-link' }, 'Open the payment page: ', link),
      createElement(Original, props),
    );
  };
  return LiveResponse;
};

/**
 * Folds each documented response below its status and description. All open ones are some 6,000 pixels high.
 *
 * @param {System} Original
 * @param {System} system
 */
const folded = (Original, { React: { createElement } }) => {
  /** @param {System} props */
  const Response = (props) => {
    const text = props.response.get('description').replaceAll('`', '');
    const response = createElement('tbody', null, createElement(Original, props));
    const details = createElement(
      'details',
      null,
      createElement('summary', null, text),
      createElement('table', { className: 'folded' }, response),
    );
    const status = createElement('td', { className: 'response-col_status' }, props.code);
    return createElement('tr', null, status, createElement('td', { colSpan: 2 }, details));
  };
  return Response;
};

/** A button's text without the link that Swagger UI nests in it. A click on the button already changes the address. */
const withoutLink =
  () =>
  (/** @type {System} */ { text }) =>
    text;

/**
 * Attributes for assistive technology that Swagger UI lacks or has wrong: selector, attribute, value.
 *
 * @type {readonly (readonly [selector: string, name: string, value: string])[]}
 */
const ATTRIBUTES = [
  ['.body-param__text', 'aria-label', 'Request body'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.information-container', 'role', 'region'],
  ['.information-container', 'aria-label', 'About'],
  ['.scheme-container', 'role', 'region'],
  ['.scheme-container', 'aria-label', 'Authorization'],
  ['h3.opblock-tag', 'aria-level', '2'],
  ['.opblock h4, .opblock h5', 'aria-level', '3'],
  ['section.models h4', 'aria-level', '2'],
  ['.responses-table', 'role', 'table'],
  ['pre.microlight', 'tabindex', '0'],
];

/** Swagger UI names the events as the tag of the endpoints: "Webhooks". */
const EVENTS_HEADING = 'Delivered events';

const mend = () => {
  for (const heading of root.querySelectorAll('.webhooks > h2'))
    if (heading.textContent !== EVENTS_HEADING) heading.textContent = EVENTS_HEADING;
  for (const [selector, name, value] of ATTRIBUTES) {
    for (const element of root.querySelectorAll(`:is(${selector}):not([${name}="${value}"])`)) {
      element.setAttribute(name, value);
    }
  }
};

new MutationObserver(mend).observe(root, { childList: true, subtree: true });

const spec = await (await fetch('/openapi.json')).json();
const ui = SwaggerUIBundle({
  dom_id: '#swagger-ui',
  // Requests go to the address that served the page, which may be another name of this machine.
  spec: { ...spec, servers: [{ url: location.origin }] },
  validatorUrl: null,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // The address names the open operation.
  deepLinking: true,
  plugins: [{ wrapComponents: { liveResponse: withPaymentLink, response: folded, DeepLink: withoutLink } }],
  onComplete: () => ui.preauthorizeApiKey('apiKey', root.dataset['apiKey']),
});
