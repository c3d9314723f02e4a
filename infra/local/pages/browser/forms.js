// The forms of the dashboard: their outcomes appear on the page. Without this script, each leads to a page of its own.

import { showToast } from './toasts.js';

/** @param {string} id An element that the page has */
export const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Asks a question, and waits for the answer.
 *
 * @param {string} question
 * @returns {Promise<boolean>}
 */
const confirmed = (question) => {
  const dialog = /** @type {HTMLDialogElement} */ (find('question'));
  find('asked').textContent = question;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
};

/**
 * Sends the fields of a form to the stage.
 *
 * @param {string} address
 * @param {URLSearchParams} body
 * @returns {Promise<{ message: string, isError?: boolean, address?: string, opens?: string }>}
 */
const send = async (address, body) => {
  try {
    const headers = { Accept: 'application/json' };
    return await (await fetch(address, { method: 'POST', headers, body })).json();
  } catch {
    return { message: 'The stage does not respond. Start it again.', isError: true };
  }
};

/** @param {Awaited<ReturnType<typeof send>>} outcome */
const show = ({ message, isError = false, address = '', opens }) => {
  if (opens) {
    open(address, '_blank', 'noopener');
    const link = Object.assign(document.createElement('a'), {
      href: address,
      target: '_blank',
      textContent: opens,
    });
    find('created').replaceChildren(`${message} `, link);
  } else if (address) location.assign(address);
  else showToast(message, { isError });
};

/** @param {SubmitEvent} event */
const submit = async ({ target, submitter }) => {
  const form = /** @type {HTMLFormElement} */ (target);
  // Before the question: an update of the page may replace the button meanwhile.
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, submitter)));
  const { question } =
    form.id === 'send' ? JSON.parse(/** @type {HTMLButtonElement} */ (submitter).value) : {};
  // A double click sends one request.
  if (submitter?.ariaBusy === 'true' || (question && !(await confirmed(question)))) return;
  if (submitter) submitter.ariaBusy = 'true';
  show(await send(form.action, body));
  if (submitter) submitter.ariaBusy = null;
};

document.addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.method !== 'post') return;
  event.preventDefault();
  void submit(event);
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
