// Copy buttons: each copies the text of the element that its `data-copy` names.

const SHOWN_MS = 2_000;

/**
 * Copies the text of an element. Without a clipboard or its permission, it selects the text for the keyboard.
 *
 * @param {string | null} id An element that the page has
 * @returns {Promise<string>} what happened
 */
const copy = async (id) => {
  const element = /** @type {HTMLElement} */ (document.getElementById(String(id)));
  try {
    // Without the last line break: a terminal would run the command at once.
    await navigator.clipboard.writeText(element.innerText.trimEnd());
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(element);
    return 'Selected: press Ctrl+C or ⌘C';
  }
};

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-copy]') : null;
  if (!button) return;
  const showResult = async () => {
    const result = await copy(button.getAttribute('data-copy'));
    // A screen reader announces it. The stylesheet shows it in place of the button's own text.
    button.nextElementSibling?.replaceChildren(result);
    setTimeout(() => button.nextElementSibling?.replaceChildren(), SHOWN_MS);
  };
  void showResult();
});
