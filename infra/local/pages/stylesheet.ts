import { compact, PILLS } from '../../../lib/pages/stylesheet.ts';
import { PAGE_STYLE } from '../../errors-page/page-frame.ts';

const PARTS = `
.row:has(> #secret:empty) { display: none; }
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
button { padding: .125rem .75rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; font-size: .875rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
.copied { color: var(--good); font-size: .875rem; }
.scroll { max-height: 27rem; overflow: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
tr > :last-child { padding-inline-end: 0; }
.scroll table { min-width: 46rem; overflow-wrap: normal; }
.scroll td { max-width: 24rem; overflow-wrap: anywhere; }
.scroll th { position: sticky; top: 0; background: var(--card); color: var(--soft); font-weight: 500; white-space: nowrap; }
time, .keep { white-space: nowrap; }
.waiting_payment { background: var(--wait-pane); color: var(--wait); }
.good { color: var(--good); } .warn { color: var(--wait); } .bad { color: var(--bad); }
.pill.good { background: var(--good-pane); } .pill.warn { background: var(--wait-pane); } .pill.bad { background: var(--bad-pane); }`;

/** The styles of the dashboard. On a phone, the rows of its tables are cards. */
const DASHBOARD = `
.start ol { margin: .75rem 0; padding-inline-start: 1.25rem; }
@media (min-width: 60rem) { .start { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr); gap: 2rem; } }
@media (scripting: none) { .scripted, [data-request], [data-copy] { display: none; } }
html:not(:has(#from-page:checked)) :is(.from-page, .scroll:not(:has(tr:not(.from-page) > td))) { display: none; }
form { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
#create label { flex-basis: 100%; }
#create select { flex: 1 1 12rem; }
input, select { min-height: 2.25rem; padding: .25rem .625rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; max-width: 100%; }
input[type=url] { flex: 1 1 16rem; }
input[type=checkbox] { min-height: 0; vertical-align: middle; accent-color: var(--accent); }
.primary { padding: .5rem 1.25rem; border-color: transparent; background: var(--accent); color: var(--accent-ink); font-size: 1rem; font-weight: 600; }
.primary:hover { border-color: transparent; background: var(--accent-over); }
#created:not(:empty), #endpoint-result:not(:empty) { padding: .5rem .75rem; border-radius: .5rem; background: var(--good-pane); color: var(--good); }
#created.failed, #endpoint-result.failed { background: var(--bad-pane) !important; color: var(--bad) !important; }
#result:not(:empty) { position: fixed; inset: auto 1rem 1rem auto; margin: 0; padding: .75rem 1.25rem; border-radius: .75rem; background: var(--ink); color: var(--card); }
details + details { margin-top: .5rem; }
summary { font-weight: 600; cursor: pointer; }
@media (max-width: 46rem) {
  .scroll table { min-width: 0; overflow-wrap: anywhere; }
  /* A shadow shows that there is more below. */
  section > .scroll { background: linear-gradient(#0000, var(--card) 70%) 0 100% / 100% 2.5rem no-repeat local, radial-gradient(farthest-side at 50% 100%, var(--edge), #0000) 0 100% / 100% .875rem no-repeat; }
  table[role], table[role] :is(tbody, tr, td) { display: block; }
  table[role] thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table[role] tr { margin-bottom: .75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; }
  table[role] td { position: relative; min-height: 1.75rem; padding: .125rem 0 .125rem 7.25rem; border: 0; }
  table[role] td:empty { display: none; }
  table[role] td::before { content: attr(data-label); position: absolute; left: 0; color: var(--soft); }
  .keep, time { white-space: normal; }
}`;

/** The styles of the guide's pages. */
const GUIDE = `
.guide nav ul { margin: 0; padding: 0; list-style: none; }
.guide nav ul ul { margin: .25rem 0 .5rem; padding-inline-start: .75rem; border-inline-start: 2px solid var(--line); font-size: .875rem; }
.guide nav a { display: block; padding: .125rem 0; color: var(--soft); text-decoration: none; }
.guide nav a:hover { color: var(--ink); text-decoration: underline; }
.guide nav a[aria-current] { color: var(--ink); font-weight: 600; }
.contents { margin-bottom: 1rem; padding: .5rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.contents nav { padding: .5rem 0; }
@media (min-width: 60rem) { @supports selector(::details-content) {
  .guide { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 1.5rem; align-items: start; }
  .contents { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); padding: 0; overflow-y: auto; background: none; border: 0; }
  .contents summary { display: none; }
  .contents::details-content { display: block; content-visibility: visible; }
} }
.code { margin: .75rem 0; padding: .375rem; background: var(--pane); border-radius: .5rem; }
.code .row { flex-direction: row-reverse; margin: 0; }
.code pre { --card: var(--pane); margin: 0; padding: .375rem; }
article h2 { margin-top: 2rem; font-size: 1.25rem; }
article pre, article table { margin: .75rem 0; }
article pre, .start pre { white-space: pre; }
article .scroll { max-height: none; }
article .scroll table { min-width: 34rem; overflow-wrap: break-word; }
/* A shadow shows that there is more. */
article :is(.scroll, pre), .start pre { background: linear-gradient(to right, var(--card) 30%, #0000), linear-gradient(to left, var(--card) 30%, #0000) 100% 0, radial-gradient(farthest-side at 0 50%, var(--edge), #0000), radial-gradient(farthest-side at 100% 50%, var(--edge), #0000) 100% 0; background-repeat: no-repeat; background-size: 2.5rem 100%, 2.5rem 100%, .875rem 100%, .875rem 100%; background-attachment: local, local, scroll, scroll; }
article li { margin: .25rem 0; }`;

/** The stylesheet of the local stage's own pages. */
export const STYLESHEET = compact(PAGE_STYLE + PILLS + PARTS + DASHBOARD + GUIDE);
