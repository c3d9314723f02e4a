/**
 * The description of an alarm: its effect, and its section of `docs/runbook.md` in the repository. It does not use
 * `-c docsUrl`, because the runbook is not for merchants.
 *
 * @param section the heading of the section
 */
export const withRunbook = (effect: string, section: string): string =>
  `${effect} Runbook: docs/runbook.md#${section.toLowerCase()}`;
