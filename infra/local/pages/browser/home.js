// The script of the page at `/`: new content without a reload.

const POLL_MS = 1_000;

/** @param {string} id An element that the page has */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const live = find('live');
const state = find('state');
const pauseButton = find('pause');
let isPaused = false;
let isPolling = false;

/** Whether new content would take away the keyboard's focus or a selection. */
const isInUse = () => {
  const selection = getSelection();
  const hasSelection = selection?.type === 'Range' && selection.containsNode(live, true);
  return hasSelection || live.contains(document.activeElement);
};

/** The tables, which keep their scroll positions. */
const tables = () => [...live.querySelectorAll('.scroll')];

const renew = async () => {
  const html = await (await fetch('/live')).text();
  const renewed = document.createElement('div');
  renewed.innerHTML = html;
  if (renewed.innerHTML === live.innerHTML || isInUse()) return;
  const tops = tables().map(({ scrollTop }) => scrollTop);
  live.innerHTML = html;
  for (const [index, table] of tables().entries()) table.scrollTop = tops[index] ?? 0;
};

/**
 * Shows the state of the page. A screen reader announces it if it is new.
 *
 * @param {string} text
 */
const show = (text) => {
  if (state.textContent !== text) state.textContent = text;
};

/** Renews the page. A page that nobody sees sends nothing. */
const poll = async () => {
  if (isPolling || isPaused || document.visibilityState !== 'visible') return;
  isPolling = true;
  try {
    await renew();
    show('New requests appear here.');
  } catch {
    show('The stage does not respond. Start it again: this page then continues.');
  }
  isPolling = false;
};

pauseButton.hidden = false;
pauseButton.addEventListener('click', () => {
  isPaused = !isPaused;
  pauseButton.textContent = isPaused ? 'Continue' : 'Pause';
  show(isPaused ? 'Paused.' : 'New requests appear here.');
  void poll();
});
document.addEventListener('visibilitychange', () => void poll());
show('New requests appear here.');
setInterval(() => void poll(), POLL_MS);
