// Copy buttons: each copies the text of the element that its `data-copy` names, or of the file at its `data-source`.

const SHOWN_MS = 2_000;

/**
 * Copies the text of an element. Without a clipboard or its permission, it selects the text for the keyboard.
 *
 * @param {string} id An element that the page has
 * @returns {Promise<string>} what happened
 */
const copyElement = async (id) => {
  const element = /** @type {HTMLElement} */ (document.getElementById(id));
  try {
    // Without the last line break: a terminal would run the command at once.
    await navigator.clipboard.writeText(element.innerText.trimEnd());
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(element);
    return 'Selected: press Ctrl+C or ⌘C';
  }
};

/** @param {string} address A file on the stage */
const copyFile = async (address) => {
  try {
    await navigator.clipboard.writeText(await (await fetch(address)).text());
    return 'Copied';
  } catch {
    return 'Not possible here: open it as Markdown';
  }
};

/** @param {HTMLElement} button */
const copy = async (button) => {
  const { copy: id, source } = button.dataset;
  if (id === undefined && source === undefined) return;
  const result = await (id === undefined ? copyFile(String(source)) : copyElement(id));
  // A screen reader announces it. The stylesheet shows it in place of the button's own text.
  button.nextElementSibling?.replaceChildren(result);
  setTimeout(() => button.nextElementSibling?.replaceChildren(), SHOWN_MS);
};

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest('button');
  if (button instanceof HTMLElement) void copy(button);
});
