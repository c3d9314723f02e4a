import type { Page } from 'playwright-core';

/** The element with the focus, as the page describes it. */
export interface Stop {
  /** Its position among the controls of the page. -1 for the page itself. */
  readonly position: number;
  readonly count: number;
  readonly name: string;
  readonly tag: string;
  readonly isMarked: boolean;
  readonly isInView: boolean;
  readonly isLive: boolean;
}

/** Finds the controls that a person sees, in the order of the page. A group of radio buttons is one of them. */
const FIND_STOP = `(() => {
  const isStop = (element) => {
    if (element.tabIndex < 0 || element.disabled || !element.checkVisibility({ visibilityProperty: true })) return false;
    if (element.type !== 'radio') return true;
    const group = [...document.getElementsByName(element.name)];
    return element === (group.find(({ checked }) => checked) ?? group[0]);
  };
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(isStop);
  const active = document.activeElement;
  const marked = [active, active.closest('label')].filter(Boolean).map((element) => getComputedStyle(element));
  const { top, bottom, left, right } = active.getBoundingClientRect();
  return {
    position: controls.indexOf(active),
    count: controls.length,
    name: active.outerHTML.slice(0, 160),
    tag: active.localName,
    isMarked: marked.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1),
    isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
    isLive: document.querySelector('#live')?.contains(active) ?? false,
  };
})()`;

/** The control with the focus. */
export const stopOf = (page: Page): Promise<Stop> => page.evaluate<Stop>(FIND_STOP);

/**
 * Walks over a page with the Tab key alone, from its beginning to its end. Returns what is wrong: controls out of order, without a
 * visible focus or out of view, and a walk that does not end.
 *
 * @param visit does more at each control, and returns what is wrong there
 */
export const walk = async (
  page: Page,
  visit: (stop: Stop) => Promise<readonly string[]> = async () => [],
): Promise<readonly string[]> => {
  const problems: string[] = [];
  await page.evaluate('document.body.tabIndex = -1; document.body.focus()');
  for (let expected = 0; ; expected += 1) {
    await page.keyboard.press('Tab');
    const stop = await stopOf(page);
    const { position, count, name, isMarked, isInView } = stop;
    if (expected === count && position <= 0) return problems;
    if (position !== expected)
      return [...problems, `${position} in place of ${expected} of ${count}: ${name}`];
    if (!isMarked) problems.push(`no visible focus: ${name}`);
    if (!isInView) problems.push(`out of view: ${name}`);
    problems.push(...(await visit(stop)));
  }
};
