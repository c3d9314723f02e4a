// The guide: its search, the section in view, and the links of headings.

const RESULTS_MAX = 12;
const SNIPPET_LENGTH = 140;

/** @typedef {readonly [address: string, document: string, heading: string, text: string]} Entry */

/** The pages for the readers of this one. */
const OWN_PAGES = new Set(
  [...document.querySelectorAll('.contents details[open] a')].map((link) => link.getAttribute('href')),
);

/** @type {Promise<readonly Entry[]> | undefined} */
let index;

/** The sections of all documents. Loaded with the first search. */
const loadIndex = () => (index ??= fetch('/guide/search.json').then((response) => response.json()));

/**
 * The sections with every word. Those for the same readers as this page come first: those with all words in the heading, then
 * those with the words side by side.
 *
 * @param {readonly Entry[]} entries
 * @param {readonly string[]} words in lower case
 */
const find = (entries, words) => {
  const hasAll = (/** @type {string} */ text) => words.every((word) => text.toLowerCase().includes(word));
  const rankOf = (/** @type {Entry} */ [address, , heading, text]) => {
    const isOwn = OWN_PAGES.has(address.replace(/#.*/, ''));
    const rank = hasAll(heading) ? 0 : text.toLowerCase().includes(words.join(' ')) ? 1 : 2;
    return isOwn ? rank : rank + 3;
  };
  const found = entries.filter((entry) => hasAll(entry.slice(1).join(' ')));
  return found.toSorted((a, b) => rankOf(a) - rankOf(b));
};

/**
 * The text around the first of the words, which it marks.
 *
 * @param {string} text
 * @param {string} word
 */
const snippetOf = (text, word) => {
  const position = text.toLowerCase().indexOf(word);
  const start = position < 60 ? 0 : text.indexOf(' ', position - 40);
  const mark = document.createElement('mark');
  mark.textContent = text.slice(position, position + word.length);
  const end = text.slice(position + word.length, start + SNIPPET_LENGTH).replace(/\S*$/, '…');
  return position < 0
    ? [text.slice(0, SNIPPET_LENGTH)]
    : [start > 0 ? '…' : '', text.slice(start, position), mark, end];
};

/** @param {string} query */
const search = async (query) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const results = words.length > 0 ? find(await loadIndex(), words) : [];
  // A later key may have changed the query meanwhile.
  if (input.value !== query) return;
  const links = results.slice(0, RESULTS_MAX).map(([address, page, heading, text]) => {
    const link = document.createElement('a');
    link.href = address;
    const title = document.createElement('b');
    title.textContent = heading === page ? page : `${page}: ${heading}`;
    link.append(title, ...snippetOf(text, String(words[0])));
    return link;
  });
  const message = `${results.length} sections`;
  const none = document.createElement('p');
  none.textContent = 'Nothing found. Try another word.';
  found.replaceChildren(...(words.length > 0 && links.length === 0 ? [none] : links));
  count.textContent = words.length > 0 ? message : '';
};

const input = /** @type {HTMLInputElement} */ (document.getElementById('search'));
const found = /** @type {HTMLElement} */ (document.getElementById('found'));
const count = /** @type {HTMLElement} */ (document.getElementById('found-count'));
input.addEventListener('input', () => void search(input.value));
input.parentElement?.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  input.value = '';
  found.replaceChildren();
  input.focus();
});
// A link may lead to this page.
found.addEventListener('click', () => {
  input.value = '';
  found.replaceChildren();
});

/** A section is in view once its heading is in this part of the window. */
const READ_PART = 0.15;

/** Marks the section in view in the contents. */
const headings = [...document.querySelectorAll('article h2')];
const markSection = () => {
  const shown = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight * READ_PART);
  for (const link of document.querySelectorAll('.contents a[href^="#"]'))
    if (shown && link.getAttribute('href') === `#${shown.id}`) link.setAttribute('aria-current', 'location');
    else link.removeAttribute('aria-current');
};
const observer = new IntersectionObserver(markSection, {
  rootMargin: `0px 0px ${100 * READ_PART - 100}% 0px`,
});
for (const heading of headings) observer.observe(heading);

document.addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest('a.anchor') : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  // The address of the page changes too.
  void navigator.clipboard?.writeText(link.href);
});
