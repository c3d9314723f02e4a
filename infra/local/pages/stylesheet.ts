import { compact, PILLS } from '../../../lib/sandbox/stylesheet.ts';
import { PAGE_STYLE } from '../../page-frame.ts';

const PARTS = `
[hidden] { display: none !important; }
h3 { margin: 1.25rem 0 .5rem; font-size: 1rem; }
code { padding: .0625rem .25rem; background: var(--pane); border-radius: .25rem; }
pre { margin: 0; padding: .75rem; background: var(--pane); border-radius: .5rem; overflow-x: auto; white-space: pre-wrap; }
pre code, h2 code { padding: 0; background: none; }
.soft { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
@media (max-width: 32rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; }
.row h2 { margin: 0; flex: 1 1 auto; }
.row + pre { margin-top: .75rem; }
button { padding: .125rem .75rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; font-size: .875rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
.copied { color: var(--good); font-size: .875rem; }
.scroll { max-height: 27rem; overflow: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
tr > :last-child { padding-inline-end: 0; }
.scroll table { min-width: 46rem; overflow-wrap: normal; }
.scroll th { position: sticky; top: 0; background: var(--card); color: var(--soft); font-weight: 500; white-space: nowrap; }
time, .keep { white-space: nowrap; }
.good { color: var(--good); } .warn { color: var(--wait); } .bad { color: var(--bad); }
.pill.good { background: var(--good-pane); } .pill.warn { background: var(--wait-pane); } .pill.bad { background: var(--bad-pane); }`;

/** The styles of the guide's pages. */
const GUIDE = `
.guide nav ul { margin: 0; padding: 0; list-style: none; }
.guide nav ul ul { margin: .25rem 0 .5rem; padding-inline-start: .75rem; border-inline-start: 2px solid var(--line); font-size: .875rem; }
.guide nav a { display: block; padding: .125rem 0; color: var(--soft); text-decoration: none; }
.guide nav a:hover { color: var(--ink); text-decoration: underline; }
.guide nav a[aria-current] { color: var(--ink); font-weight: 600; }
.narrow { margin-bottom: 1rem; padding: .5rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.narrow summary { font-weight: 600; cursor: pointer; }
.narrow nav { padding: .5rem 0; }
.wide { display: none; }
@media (min-width: 60rem) {
  .guide { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 1.5rem; align-items: start; }
  .narrow { display: none; }
  .wide { display: block; position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
}
.code { margin: .75rem 0; padding: .375rem; background: var(--pane); border-radius: .5rem; }
.code .row { flex-direction: row-reverse; margin: 0; }
article .code pre { margin: 0; padding: .375rem; }
article h2 { margin-top: 2rem; font-size: 1.25rem; }
article pre, article table { margin: .75rem 0; }
article pre { white-space: pre; }
article .scroll { max-height: none; }
article .scroll table { min-width: 0; }
article li { margin: .25rem 0; }`;

/** The stylesheet of the local stage's own pages. */
export const STYLESHEET = compact(PAGE_STYLE + PILLS + PARTS + GUIDE);
