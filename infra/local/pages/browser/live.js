// The live part of a page: new content without a reload.

import { find } from './forms.js';
import { restoreLanguage } from './languages.js';
import { showTimes } from './times.js';
import { showToast } from './toasts.js';

const POLL_MS = 1_000;
const PROBLEM = 'The stage does not respond. Start it again: this page then continues.';
const DEFECT = 'The stage cannot renew this page. Its terminal has the error.';

const live = find('live');
const state = find('state');
const updates = /** @type {HTMLInputElement} */ (find('updates'));
let shown = '';
let isPolling = false;
let isGone = false;
let isDefect = false;

/** Whether new content would take away a selection, or the button of an open question. */
const isInUse = () => {
  const selection = getSelection();
  return (
    document.querySelector('dialog[open]') !== null ||
    (selection?.type === 'Range' && selection.containsNode(live, true))
  );
};

/**
 * The parts that the reader can fold.
 *
 * @returns {NodeListOf<HTMLDetailsElement>}
 */
const parts = () => live.querySelectorAll('details[id]');

/** The links of the rows, by which a row is known. */
const rows = () =>
  [...live.querySelectorAll('tbody tr')].flatMap((row) => {
    const key = row.querySelector('a')?.getAttribute('href');
    return key ? [{ row, key }] : [];
  });

/** Copies an element without its content, and without the mark of a request on its way. */
const shell = (/** @type {Element} */ element) => {
  const copy = /** @type {Element} */ (element.cloneNode());
  copy.removeAttribute('aria-busy');
  return copy;
};

/**
 * The elements of the live part with the attributes of this one, which may have been in it before.
 *
 * @param {Element} element
 */
const twinsOf = (element) => {
  /** @type {NodeListOf<HTMLElement>} */
  const candidates = live.querySelectorAll(element.localName);
  return [...candidates].filter((each) => shell(each).isEqualNode(shell(element)));
};

const renew = async () => {
  const response = await fetch(String(live.getAttribute('data-source')));
  const html = await response.text();
  // A page shows its own errors. Any other text is a defect of the stage.
  const hasFailed = !response.headers.get('Content-Type')?.startsWith('text/html');
  if (hasFailed && !isDefect) showToast(DEFECT, { isError: true });
  isDefect = hasFailed;
  if (hasFailed || html === shown || isInUse()) return;
  isGone = response.status === 404;
  const focused = live.contains(document.activeElement) ? document.activeElement : null;
  const position = focused ? twinsOf(focused).findIndex((each) => each === focused) : -1;
  const folded = new Map([...parts()].map(({ id, open }) => [id, open]));
  const known = new Set(rows().map(({ key }) => key));
  live.innerHTML = html;
  if (shown) for (const { row, key } of rows()) row.classList.toggle('new', !known.has(key));
  shown = html;
  for (const part of parts()) part.open = folded.get(part.id) ?? part.open;
  restoreLanguage();
  showTimes();
  // Without a successor, the keyboard goes on from the beginning of the part.
  if (focused) (twinsOf(focused)[position] ?? live).focus({ preventScroll: true });
};

/** Renews the page. A page that nobody sees sends nothing, nor does one whose subject is gone. */
const poll = async () => {
  if (isPolling || isGone || !updates.checked || document.visibilityState !== 'visible') return;
  isPolling = true;
  const problem = await renew().catch(() => PROBLEM);
  // A screen reader announces a change.
  if (state.textContent !== (problem ?? '')) state.textContent = problem ?? '';
  updates.classList.toggle('broken', problem !== undefined);
  isPolling = false;
};

updates.addEventListener('change', () => void poll());
document.addEventListener('visibilitychange', () => void poll());
setInterval(() => void poll(), POLL_MS);
