// The script of the page at `/`: copy buttons, and new rows without a reload.

const POLL_MS = 1_000;
const OVERVIEW_MS = 5_000;

/**
 * An element that the page has.
 *
 * @param {string} selector
 * @returns {HTMLElement}
 */
const find = (selector) => {
  const element = document.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`The page has no ${selector}`);
  return element;
};

/**
 * Copies the text of an element. Without a clipboard or its permission, it selects the text for the keyboard.
 *
 * @param {HTMLElement} element
 * @returns {Promise<string>} what happened
 */
const copy = async (element) => {
  try {
    await navigator.clipboard.writeText(element.innerText);
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(element);
    return 'Selected: press Ctrl+C or ⌘C';
  }
};

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.removeAttribute('hidden');
  const showResult = async () => {
    const result = await copy(find(`#${button.getAttribute('data-copy')}`));
    for (const text of document.querySelectorAll('.copied')) text.textContent = '';
    button.nextElementSibling?.replaceChildren(result);
  };
  button.addEventListener('click', () => void showResult());
}

const pauseButton = find('#pause');
const requestsMax = Number(find('[data-requests-max]').dataset['requestsMax']);
const rows = find('[data-requests-max] tbody');
let isPaused = false;
let overviewAtMs = Date.now();

const addRequests = async () => {
  const after = rows.querySelector('[data-id]')?.getAttribute('data-id') ?? '0';
  const response = await fetch(`/live/requests?after=${after}`);
  if (response.status === 204) return false;
  if (!response.ok) throw new Error('The stage failed');
  document.querySelector('#no-request')?.remove();
  rows.insertAdjacentHTML('afterbegin', await response.text());
  while (rows.childElementCount > requestsMax) rows.lastElementChild?.remove();
  return true;
};

/**
 * Whether new content would take away the keyboard's focus or a selection.
 *
 * @param {HTMLElement} element
 */
const isInUse = (element) => {
  const selection = getSelection();
  const hasSelection = selection?.type === 'Range' && selection.containsNode(element, true);
  return hasSelection || element.contains(document.activeElement);
};

const renewOverview = async () => {
  const element = find('#overview');
  const html = await (await fetch('/live/overview')).text();
  overviewAtMs = Date.now();
  const renewed = document.createElement('div');
  renewed.innerHTML = html;
  if (renewed.innerHTML !== element.innerHTML && !isInUse(element)) element.innerHTML = html;
};

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let isBusy = false;

/**
 * Schedules the next poll. A page that nobody sees sends nothing.
 *
 * @param {number} delayMs
 */
const schedule = (delayMs) => {
  clearTimeout(timer);
  if (!isPaused && document.visibilityState === 'visible') timer = setTimeout(() => void poll(), delayMs);
};

const poll = async () => {
  if (isBusy) return;
  isBusy = true;
  try {
    const hasNew = await addRequests();
    if (hasNew || Date.now() - overviewAtMs >= OVERVIEW_MS) await renewOverview();
    show('New requests appear here.');
  } catch {
    show('The stage does not respond. Start it again: this page then continues.');
  } finally {
    isBusy = false;
    schedule(POLL_MS);
  }
};

/**
 * Shows the state of the log. A screen reader announces it if it is new.
 *
 * @param {string} text
 */
const show = (text) => {
  const live = find('#live');
  if (live.textContent !== text) live.textContent = text;
};

pauseButton.hidden = false;
pauseButton.addEventListener('click', () => {
  isPaused = !isPaused;
  pauseButton.textContent = isPaused ? 'Continue' : 'Pause';
  show(isPaused ? 'Paused.' : 'New requests appear here.');
  schedule(0);
});
document.addEventListener('visibilitychange', () => schedule(0));
show('New requests appear here.');
schedule(POLL_MS);
