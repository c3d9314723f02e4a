import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import type { TableSection } from './elements.ts';
import { livePages } from './live-page.ts';

/** The rows of a page of a list. */
export const PAGE_SIZE = 20;

/** The rows of each list on the dashboard. */
export const NEWEST_SIZE = 5;

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The id of the last item. Absent on the last page. */
  readonly next?: string | undefined;
}

/** The page that a query asks for. An item that the list no longer has leads to its beginning. */
export const pageOf = <Item extends { readonly id: string }>(
  items: readonly Item[],
  query: URLSearchParams,
): ListPage<Item> => {
  const begin = items.findIndex(({ id }) => id === query.get('after')) + 1;
  const page = items.slice(begin, begin + PAGE_SIZE);
  return { items: page, next: begin + PAGE_SIZE < items.length ? page.at(-1)?.id : undefined };
};

/** An address of a list with another value of a parameter. */
const withParameter = (path: string, query: URLSearchParams, name: string, value: string): string => {
  const changed = new URLSearchParams(query);
  changed.delete('after');
  changed.delete(name);
  if (value !== '') changed.set(name, value);
  return changed.size === 0 ? path : `${path}?${changed.toString()}`;
};

interface List {
  readonly title: string;
  /** The address of the list. */
  readonly path: string;
  /** The values of each parameter, with their texts. The first value of each is the default. */
  readonly filters: Readonly<Record<string, readonly (readonly [value: string, text: string])[]>>;
  /** The placeholder of the search. */
  readonly searches: string;
  /** A part above the filters. */
  readonly top?: Markup;
}

/** The links that filter a list, and its search. They work without a script. */
const filterBar = ({ path, filters, searches }: List, query: URLSearchParams): Markup => {
  const groups = Object.entries(filters).map(([name, values]) => {
    const first = values[0]?.[0] ?? '';
    const chosen = query.get(name) ?? first;
    const links = values.map(
      ([value, text]) =>
        markup`<li><a href="${withParameter(path, query, name, value === first ? '' : value)}"${value === chosen && markup` aria-current="true"`}>${text}</a></li>`,
    );
    return markup`<ul class="chips" aria-label="Filter by ${name}">${links}</ul>`;
  });
  const kept = Object.keys(filters).flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : markup`<input type="hidden" name="${name}" value="${value}">`;
  });
  return markup`<div class="filters">${groups}
<form role="search" action="${path}">${kept}<input type="search" name="q" value="${query.get('q') ?? ''}" placeholder="${searches}" aria-label="Search"> <button>Search</button></form>
</div>`;
};

/** The links to the first and to the next page. Empty for a list of one page. */
const pager = (path: string, query: URLSearchParams, { next }: ListPage<unknown>): Markup => {
  const hasPrevious = query.has('after');
  if (!hasPrevious && next === undefined) return markup``;
  const older = new URLSearchParams(query);
  older.set('after', next ?? '');
  return markup`<nav class="row pager" aria-label="Pages">${
    hasPrevious && markup`<a href="${withParameter(path, query, 'after', '')}">← Newest</a>`
  } ${next !== undefined && markup`<a href="${path}?${older.toString()}" rel="next">Older →</a>`}</nav>`;
};

/** The text that a query searches, in lower case. */
export const searchOf = (query: URLSearchParams): string => query.get('q')?.trim().toLowerCase() ?? '';

/** The parts of a list that differ between its page and the dashboard. */
export type ListEnd = Pick<TableSection<unknown>, 'empty' | 'all' | 'note'>;

/**
 * The end of a page of a list: the links to other pages, or the text of an empty list.
 *
 * @param empty the text if no filter is set
 */
export const pageEnd = (
  path: string,
  query: URLSearchParams,
  page: ListPage<unknown>,
  empty: string,
): ListEnd => ({
  empty: query.size === 0 ? empty : markup`Nothing matches. <a href="${path}">Show all</a>`,
  note: pager(path, query, page),
});

/**
 * Makes the function that finds a list, and its live part.
 *
 * @param render renders the list for each request, with the query of its address
 */
export const listPages = (list: List, render: (query: URLSearchParams) => Promise<Markup>) =>
  livePages(new RegExp(`^${list.path}$`), async (_, query) => ({
    title: list.title,
    hidesTitle: true,
    before: markup`${list.top}${filterBar(list, query)}`,
    live: await render(query),
  }));
