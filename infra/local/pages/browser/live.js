// The live part of a page: new content without a reload.

import { restoreLanguage } from './languages.js';
import { find } from './requests.js';
import { showTimes } from './times.js';

const POLL_MS = 1_000;
const PROBLEM = 'The stage does not respond. Start it again: this page then continues.';

const live = find('live');
const state = find('state');
const updates = /** @type {HTMLInputElement} */ (find('updates'));
let shown = '';
let isPolling = false;

/** Whether new content would take away a selection. */
const hasSelection = () => {
  const selection = getSelection();
  return selection?.type === 'Range' && selection.containsNode(live, true);
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

/** Copies an element without its content. */
const shell = (/** @type {Element} */ element) => element.cloneNode();

const renew = async () => {
  const html = await (await fetch(String(live.getAttribute('data-source')))).text();
  if (html === shown || hasSelection()) return;
  const focused = live.contains(document.activeElement) && document.activeElement;
  const folded = new Map([...parts()].map(({ id, open }) => [id, open]));
  const known = new Set(rows().map(({ key }) => key));
  live.innerHTML = html;
  if (shown) for (const { row, key } of rows()) row.classList.toggle('new', !known.has(key));
  shown = html;
  for (const part of parts()) part.open = folded.get(part.id) ?? part.open;
  restoreLanguage();
  showTimes();
  if (!focused) return;
  /** @type {NodeListOf<HTMLElement>} */
  const candidates = live.querySelectorAll(focused.localName);
  const successor = [...candidates].find((each) => shell(each).isEqualNode(shell(focused)));
  successor?.focus({ preventScroll: true });
};

/** Renews the page. A page that nobody sees sends nothing. */
const poll = async () => {
  if (isPolling || !updates.checked || document.visibilityState !== 'visible') return;
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
