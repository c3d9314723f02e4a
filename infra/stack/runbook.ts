/**
 * The description of an alarm: its effect, and its section of `docs/runbook.md` in the repository. A deployed stage does not
 * host the runbook, which is not for merchants: `-c docsUrl` therefore has no part in it.
 *
 * @param section the heading of the section
 */
export const withRunbook = (effect: string, section: string): string =>
  `${effect} Runbook: docs/runbook.md#${section.toLowerCase()}`;
