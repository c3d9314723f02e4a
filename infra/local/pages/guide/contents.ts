import { type Markup, markup } from '../../../../lib/pages/markup.ts';

/** The address of a document as a page of the stage. */
export const guideAddress = (name: string): string => `/guide/${name}.md`;

/** A heading of the second level. */
export interface Section {
  readonly text: string;
  readonly anchor: string;
}

/** Reads a file of the folder `docs` by its path there. */
export type ReadDocument = (path: string) => string;

/** The documents by their readers, each in the order in which to read them. */
export const GROUPS = {
  'For merchants': ['integrate', 'clients', 'contract', 'events', 'event-types', 'test-in-ci'],
  'For the platform team': [
    'operate',
    'payments',
    'runbook',
    'recover',
    'upgrade',
    'commands',
    'security',
    'privacy',
    'cost',
    'scale',
    'performance',
    'decisions',
    'tour',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The page of errors is no document, but merchants need it beside the contract. */
const ERRORS = markup`<li><a href="/errors">Errors</a></li>`;

/** The title of a document. */
export const titleIn = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

/** The links to all documents, and to the sections of the shown one. The group of the shown one is open. */
export const contentsOf = (shown: string, headings: readonly Section[], read: ReadDocument): Markup => {
  const sections = headings.map(({ text, anchor }) => markup`<li><a href="#${anchor}">${text}</a></li>`);
  const entry = (name: string): Markup => {
    const title = titleIn(read(`${name}.md`));
    if (name !== shown) return markup`<li><a href="${guideAddress(name)}">${title}</a></li>`;
    return markup`<li><a href="${guideAddress(name)}" aria-current="page">${title}</a><ul>${sections}</ul></li>`;
  };
  const groups = Object.entries<readonly string[]>(GROUPS).map(
    ([
      readers,
      names,
    ]) => markup`<details${names.includes(shown) && markup` open`}><summary>${readers}</summary>
<ul>${names.flatMap((name) => (name === 'contract' ? [entry(name), ERRORS] : [entry(name)]))}</ul></details>`,
  );
  return markup`<nav aria-label="Guide">${groups}</nav>`;
};

/** The links to the documents before and after this one in its group. */
export const neighboursOf = (shown: string, read: ReadDocument): Markup => {
  const group = Object.values<readonly string[]>(GROUPS).find((names) => names.includes(shown)) ?? [];
  const index = group.indexOf(shown);
  const link = (name: string | undefined, rel: string, label: string): Markup | false =>
    name !== undefined &&
    markup`<a href="${guideAddress(name)}" rel="${rel}"><span class="soft">${label}</span> ${titleIn(read(`${name}.md`))}</a>`;
  return markup`<nav class="neighbours" aria-label="Previous and next">${link(group[index - 1], 'prev', '← Previous')}${link(group[index + 1], 'next', 'Next →')}</nav>`;
};
