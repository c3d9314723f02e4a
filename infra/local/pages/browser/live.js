// The live part of a page: new content without a reload.

import { find } from './requests.js';

const POLL_MS = 1_000;

const live = find('live');
const state = find('state');
const pauseButton = find('pause');
let shown = '';
let isPaused = false;
let isPolling = false;

/** Whether new content would take away a selection. */
const hasSelection = () => {
  const selection = getSelection();
  return selection?.type === 'Range' && selection.containsNode(live, true);
};

/** The tables, which keep their scroll positions. */
const tables = () => [...live.querySelectorAll('.scroll')];

/** What identifies an element that can have the keyboard's focus. */
const FOCUS_KEYS = ['data-request', 'href', 'aria-labelledby'];

/**
 * Finds the new element in the place of a focused one.
 *
 * @param {Element | null} old
 * @returns {HTMLElement | undefined}
 */
const successorOf = (old) => {
  const name = FOCUS_KEYS.find((each) => old?.hasAttribute(each));
  const same = name && live.querySelector(`[${name}="${CSS.escape(String(old?.getAttribute(name)))}"]`);
  return same instanceof HTMLElement ? same : undefined;
};

const renew = async () => {
  const html = await (await fetch(String(live.getAttribute('data-source')))).text();
  if (html === shown || hasSelection()) return;
  const tops = tables().map(({ scrollTop }) => scrollTop);
  const focused = live.contains(document.activeElement) ? document.activeElement : null;
  live.innerHTML = html;
  shown = html;
  for (const [index, table] of tables().entries()) table.scrollTop = tops[index] ?? 0;
  successorOf(focused)?.focus({ preventScroll: true });
};

/**
 * Shows the state of the page. A screen reader announces it if it is new.
 *
 * @param {string} text
 */
const show = (text) => {
  if (state.textContent !== text) state.textContent = text;
};

const LISTENING = 'This page updates by itself.';

/** Renews the page. A page that nobody sees sends nothing. */
const poll = async () => {
  if (isPolling || isPaused || document.visibilityState !== 'visible') return;
  isPolling = true;
  try {
    await renew();
    show(LISTENING);
  } catch {
    show('The stage does not respond. Start it again: this page then continues.');
  }
  isPolling = false;
};

pauseButton.hidden = false;
pauseButton.addEventListener('click', () => {
  isPaused = !isPaused;
  pauseButton.textContent = isPaused ? 'Continue' : 'Pause';
  show(isPaused ? 'Paused.' : LISTENING);
  void poll();
});
document.addEventListener('visibilitychange', () => void poll());
show(LISTENING);
setInterval(() => void poll(), POLL_MS);
