// The language of the samples: a choice holds for all samples, on every page.

const KEY = 'language';

/** @param {string | null} language */
const choose = (language) => {
  for (const choice of document.querySelectorAll('.tabs input')) {
    const input = /** @type {HTMLInputElement} */ (choice);
    if (input.value === language) input.checked = true;
  }
};

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches('.tabs input')) return;
  choose(target.value);
  try {
    localStorage.setItem(KEY, target.value);
  } catch {
    // A browser without storage forgets the choice.
  }
});

/** Brings the samples of the page to the reader's last choice. */
export const restoreLanguage = () => {
  try {
    choose(localStorage.getItem(KEY));
  } catch {
    // As above.
  }
};

restoreLanguage();
