import { inlineSource } from '../../../lib/sandbox/inline-source.ts';
import { COLOURS } from '../../../lib/sandbox/stylesheet.ts';

const FRAME = `
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
header { padding-bottom: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0 0; padding: 0; list-style: none; }
section { margin-bottom: 1rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .625rem; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.3; }
h2 { margin: 0 0 .75rem; font-size: 1.125rem; }
h3 { margin: 1.25rem 0 .5rem; font-size: 1rem; }
p { margin: .5rem 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .125rem; }
code, pre { font: .8125rem/1.6 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; }
code { padding: .0625rem .25rem; background: var(--pane); border-radius: .25rem; }
pre { margin: 0; padding: .75rem; background: var(--pane); border-radius: .5rem; overflow-x: auto; white-space: pre-wrap; }
pre code { padding: 0; background: none; }
.soft { color: var(--soft); }`;

const PARTS = `
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
@media (max-width: 32rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; }
.row h2 { margin: 0; flex: 1 1 auto; }
.row + pre { margin-top: .75rem; }
button { padding: .125rem .75rem; border: 1px solid var(--soft); border-radius: .375rem; background: var(--card); color: var(--ink); font: inherit; font-size: .875rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
.copied { color: var(--good); font-size: .875rem; }
.scroll { max-height: 27rem; overflow: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
tr > :last-child { padding-inline-end: 0; }
.scroll table { min-width: 46rem; overflow-wrap: normal; }
.scroll th { position: sticky; top: 0; background: var(--card); color: var(--soft); font-weight: 500; white-space: nowrap; }
time, .keep { white-space: nowrap; }
.good { color: var(--good); } .warn { color: var(--wait); } .bad { color: var(--bad); }`;

/** The styles of the guide's pages. */
const ARTICLE = `
body:has(article) > * { max-width: 58rem; }
article h2 { margin-top: 2rem; font-size: 1.25rem; }
article pre, article table { margin: .75rem 0; }
article pre { white-space: pre; }
article .scroll { max-height: none; }
article .scroll table { min-width: 0; }
article li { margin: .25rem 0; }`;

/** The stylesheet of the local stage's own pages. */
export const STYLESHEET = [COLOURS, FRAME, PARTS, ARTICLE].join('');

/** The CSP source of {@link STYLESHEET}. */
export const STYLESHEET_HASH = inlineSource(STYLESHEET);
