// Copy buttons: each copies the text of the element that its `data-copy` names.

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

for (const button of document.querySelectorAll('button[data-copy]')) {
  const showResult = async () => {
    const result = await copy(button.getAttribute('data-copy'));
    for (const text of document.querySelectorAll('.copied')) text.textContent = '';
    button.nextElementSibling?.replaceChildren(result);
  };
  button.addEventListener('click', () => void showResult());
}
