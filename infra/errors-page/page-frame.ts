import { ICON } from '../../lib/pages/icon.ts';
import { markup } from '../../lib/pages/markup.ts';
import { BASE } from '../../lib/pages/stylesheet.ts';

/** The name of the service with its icon, at the top of every page. */
export const BRAND = markup`${ICON} Cart Checkout`;

/** The style of the header, for a page whose content has a style of its own. */
export const HEADER_STYLE = `${BASE}
header { background: var(--card); border-bottom: 1px solid var(--line); }
header > div { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; max-width: 72rem; margin: 0 auto; padding: .625rem 1rem; }
header .brand { display: flex; align-items: center; gap: .625rem; margin: 0; color: var(--ink); font-weight: 600; text-decoration: none; }`;

/** The style of the header and of text in sections. */
export const PAGE_STYLE = `${HEADER_STYLE}
main { max-width: 72rem; margin: 0 auto; padding: 1.25rem 1rem; }
section { margin-bottom: 1rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
section:target { outline: 2px solid var(--accent); }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.3; }
h2 { margin: 0 0 .75rem; font-size: 1.125rem; line-height: 1.4; }
h2 code { font-size: 1rem; font-weight: 600; }
h3 { margin: 1rem 0 .25rem; font-size: .9375rem; }
pre { margin: .5rem 0; padding: .75rem; background: var(--pane); border-radius: .5rem; overflow-x: auto; white-space: pre-wrap; }
ins { color: var(--good); text-decoration: none; }
del { color: var(--bad); text-decoration: none; }
/* Code scrolls. The sentences of a response wrap. */
section:not(.error) > pre, h3 + pre { white-space: pre; }
@media (min-width: 60rem) { .error { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem; } }
.error pre { margin: .5rem 0; }
.causes { margin: .25rem 0; padding-inline-start: 1.25rem; }
.codes { columns: 17rem; margin: 1rem 0; padding: 0; list-style: none; font-size: .875rem; }
p { margin: .5rem 0; }
a { color: var(--accent); }`;
