// Short messages in the corner of the page. A success goes after two seconds. An error is longer, and stays until it is read.

const SUCCESS_MS = 2_000;
const ERROR_MS = 6_000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Shows a message in place of the last one.
 *
 * @param {string} text
 * @param {{ isError?: boolean }} [options]
 */
export const showToast = (text, { isError = false } = {}) => {
  const toast = /** @type {HTMLElement} */ (document.getElementById('result'));
  clearTimeout(timer);
  toast.textContent = text;
  toast.classList.toggle('failed', isError);
  timer = setTimeout(() => toast.replaceChildren(), isError ? ERROR_MS : SUCCESS_MS);
};
