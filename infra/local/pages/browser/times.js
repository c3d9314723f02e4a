// Times relative to now, with the exact ones in their tooltips. A click on one, or the button, shows all the exact ones. Another ends it.

/** @type {readonly (readonly [unit: string, ms: number])[]} */
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

let isExact = false;

/** @param {number} timeMs */
const relative = (timeMs) => {
  const differenceMs = timeMs - Date.now();
  const distanceMs = Math.abs(differenceMs);
  const [unit, ms] = UNITS.find(([, each]) => distanceMs >= each) ?? ['', 1];
  if (unit === '') return 'now';
  const amount = `${Math.floor(distanceMs / ms)} ${unit}`;
  return differenceMs > 0 ? `in ${amount}` : `${amount} ago`;
};

/** Brings all times of the page up to date. */
export const showTimes = () => {
  for (const element of document.querySelectorAll('time')) {
    const time = new Date(element.dateTime);
    if (!element.title)
      element.title = `${LOCAL.format(time)}, ${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    const text = isExact ? LOCAL.format(time) : relative(time.getTime());
    if (element.textContent !== text) element.textContent = text;
  }
};

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('time, #exact')) return;
  isExact = !isExact;
  document.getElementById('exact')?.setAttribute('aria-pressed', String(isExact));
  showTimes();
});
showTimes();
setInterval(showTimes, 1_000);
