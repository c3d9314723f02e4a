import { compact, PILLS } from '../../../../lib/pages/stylesheet.ts';
import { PAGE_STYLE } from '../../../errors-page/page-frame.ts';

const PARTS = `
h3 { margin: 1.25rem 0 .5rem; font-size: 1rem; }
/* A shadow takes no space: with padding, a full stop after code seems to follow a space. */
code { background: var(--pane); border-radius: .125rem; box-shadow: 0 0 0 .125rem var(--pane); }
pre { margin: 0; padding: .75rem; background: var(--pane); border-radius: .5rem; overflow-x: auto; white-space: pre-wrap; }
pre code, h2 code { background: none; box-shadow: none; }
section > :first-child { margin-top: 0; }
section > :last-child { margin-bottom: 0; }
.soft { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
@media (max-width: 32rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; }
.copyable { display: flex; align-items: baseline; gap: .75rem; }
.copyable code { min-width: 0; overflow-wrap: anywhere; }
.copyable :is(button, .copied) { flex: none; }
button { padding: .125rem .75rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; font-size: .875rem; cursor: pointer; }
[aria-pressed=true] { border-color: var(--accent); color: var(--accent); }
button:hover { border-color: var(--accent); }
/* The result is beside the button for a screen reader, and in place of its text for others. */
.copied { color: var(--good); font-size: .875rem; }
button:has(+ .copied:not(:empty)) { display: none; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .375rem 1rem .375rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: baseline; }
tr > :last-child { padding-inline-end: 0; }
/* "anywhere" makes columns so narrow that words break. */
.scroll table { overflow-wrap: break-word; }
.scroll th { color: var(--soft); font-weight: 500; white-space: nowrap; }
time, .keep, .pill, td button, td:is([data-label=Store], [data-label=Id], [data-label=Events], [data-label=Actions]) { white-space: nowrap; }
time { cursor: help; }
tr:has(+ .below) > td { padding-bottom: 0; border-bottom: 0; }
.below > td { padding-top: 0; color: var(--bad); overflow: hidden; max-width: 0; text-overflow: ellipsis; white-space: nowrap; }
.good { color: var(--good); } .warn { color: var(--wait); } .bad { color: var(--bad); }
.pill { margin-block: .0625rem; font-size: .8125rem; }
.pill.good { background: var(--good-pane); } .pill.warn { background: var(--wait-pane); } .pill.bad { background: var(--bad-pane); }
.pill.plain { border-color: var(--line); background: var(--page); color: var(--soft); }
.code { position: relative; margin: .75rem 0; padding-inline-end: 4.5rem; background: var(--pane); border-radius: .5rem; overflow-wrap: break-word; }
.code :is([data-copy], .copied) { position: absolute; inset: .375rem .375rem auto auto; padding: .125rem .75rem; border-radius: .5rem; background: var(--card); }
.code .copied:empty { display: none; }
.code pre { white-space: pre; }
.t-string { color: var(--good); } .t-word { color: var(--accent); } .t-number { color: var(--wait); } .t-comment { color: var(--soft); }
.tabs .code { padding: 0; }
.tabs .code :is([data-copy], .copied) { top: -2.5rem; right: 0; }
.token { white-space: nowrap; }
.tabs { min-width: 0; margin: 0; padding: 0; border: 0; }
.choices { display: flex; flex-wrap: wrap; gap: 0 1rem; border-bottom: 1px solid var(--line); }
.choices label { padding: .25rem 0; border-bottom: 2px solid transparent; color: var(--soft); font-size: .875rem; cursor: pointer; }
.choices label:has(:checked) { border-color: var(--accent); color: var(--ink); font-weight: 600; }
.choices input { position: absolute; opacity: 0; }
.tabs:has([value=curl]:checked) > .panel:not([data-language=curl]), .tabs:has([value=node]:checked) > .panel:not([data-language=node]), .tabs:has([value=python]:checked) > .panel:not([data-language=python]), .tabs:has([value=php]:checked) > .panel:not([data-language=php]) { display: none; }`;

/** The styles of the dashboard. On a phone, the rows of its tables are cards. */
const DASHBOARD = `
.unseen, .tabs legend { position: absolute; clip-path: inset(50%); white-space: nowrap; }
header .tab-bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; padding-block: 0; }
.tab-bar ul { gap: 0 .75rem; }
.tab-bar li a, .tab-bar li a:hover { padding: .375rem .375rem .5rem; border-bottom: 2px solid transparent; text-decoration: none; }
.tab-bar li a[aria-current] { border-color: var(--accent); color: var(--ink); text-decoration: none; }
.live-switch { display: inline-flex; align-items: center; gap: .375rem; padding: .125rem .625rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); font-size: .875rem; cursor: pointer; }
.live-switch:has(:checked) { color: var(--good); }
.live-switch:has(.broken) { color: var(--bad); }
:is(.choices label, .live-switch):has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 1px; }
.live-switch input { appearance: none; width: .5rem; height: .5rem; min-height: 0; margin: 0; padding: 0; border: 2px solid; border-radius: 50%; background: none; color: inherit; outline: none; }
.live-switch :checked { background: currentColor; }
@media (prefers-reduced-motion: no-preference) {
  .live-switch :checked:not(.broken) { animation: pulse 2s infinite; }
  @keyframes pulse { 50% { opacity: .35; } }
  .new > td { animation: appear 2s; }
  @keyframes appear { from { background: var(--good-pane); } }
}
#state { margin: 0; }
#state:not(:empty) { padding: .625rem 1rem; background: var(--bad); color: var(--card); font-weight: 600; text-align: center; }
.hint { max-width: 72rem; margin: 0 auto; padding: .25rem 1rem; color: var(--soft); }
h2:has(+ .all) { display: inline-block; }
.all { float: right; font-size: .875rem; line-height: 1.5rem; }
.method { display: inline-block; min-width: 3.25rem; color: var(--soft); font-size: .8125rem; }
td a { text-decoration: none; }
td a:hover { text-decoration: underline; }
.filters { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; margin-bottom: .75rem; }
.chips { display: flex; flex-wrap: wrap; gap: .375rem; margin: 0; padding: 0; list-style: none; }
.chips a { display: block; padding: .125rem .625rem; border: 1px solid var(--edge); border-radius: 1rem; background: var(--card); color: var(--ink); font-size: .875rem; text-decoration: none; }
.chips a:hover { border-color: var(--accent); }
.chips [aria-current] { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); }
.filters form { flex: 1 1 18rem; max-width: 22rem; flex-wrap: nowrap; }
.filters [type=search] { flex: 1; min-width: 0; font-size: .875rem; }
.pager { margin-top: .75rem; justify-content: space-between; }
.pager [rel=next] { margin-inline-start: auto; }
.wide { grid-column: 1 / -1; }
.start h3 { margin-top: 0; }
h3 .soft { font-weight: 400; font-size: .875rem; }
.started details { margin-top: .75rem; }
.started .start { margin-top: .75rem; }
.start ol { margin: .75rem 0; padding-inline-start: 1.25rem; }
@media (min-width: 60rem) {
  .start { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr); gap: 2rem; }
  .started .start { grid-template-columns: minmax(0, 1fr) max-content; }
}
/* The checklist of an integration. */
.checklist summary { font-weight: 400; }
.checklist h2 { display: inline; }
.checklist ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .75rem 1.5rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.checklist li { display: flex; gap: .75rem; }
.checklist li .soft { font-size: .875rem; }
.mark { flex: none; width: 1.5rem; height: 1.5rem; border: 1px solid var(--edge); border-radius: 50%; color: var(--soft); font-size: .875rem; line-height: 1.375rem; text-align: center; }
.done .mark { border-color: transparent; background: var(--good-pane); color: var(--good); font-weight: 700; }
@media (min-width: 75rem) { [data-label=Webhooks]:not(:has(> :nth-child(5))) { white-space: nowrap; } }
@media (scripting: none) { .scripted, [data-copy] { display: none; } }
@media not (scripting: none) { .hint { display: none; } }
form { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
#create select { flex: 0 1 20rem; }
input, select { min-height: 2.25rem; padding: .25rem .625rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; max-width: 100%; }
input[type=url] { flex: 1 1 16rem; }
.primary { padding: .5rem 1.25rem; border-color: transparent; background: var(--accent); color: var(--accent-ink); font-size: 1rem; font-weight: 600; }
.primary:hover { border-color: transparent; background: var(--accent-over); }
#created:not(:empty) { padding: .5rem .75rem; border-radius: .5rem; background: var(--good-pane); color: var(--good); }
.danger { border-color: transparent; background: var(--bad); color: var(--card); }
[aria-busy=true] { opacity: .6; cursor: progress; }
dialog { border: 1px solid var(--line); border-radius: .75rem; background: var(--card); color: var(--ink); box-shadow: var(--shadow); }
dialog::backdrop { background: #0008; }
#result:not(:empty) { position: fixed; z-index: 1; inset: auto 1rem 1rem auto; max-width: calc(100% - 2rem); margin: 0; padding: .75rem 1.25rem; border-radius: .75rem; background: var(--ink); color: var(--card); box-shadow: var(--shadow); }
#result.failed { background: var(--bad); }
details + details { margin-top: .5rem; }
summary { cursor: pointer; }
@media (max-width: 46rem) {
  table[role], table[role] :is(tbody, td) { display: block; }
  table[role] thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table[role] tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: .125rem .75rem; padding: .625rem 0; border-bottom: 1px solid var(--line); }
  table[role] tr:has(+ .below) { padding-bottom: 0; border: 0; }
  table[role] .below { padding-top: 0; }
  table[role] td { min-width: 0; padding: 0; border: 0; }
  table[role] .below td { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; white-space: normal; max-width: none; }
  table[role] td:empty { display: none; }
  /* Values that say nothing without their names. */
  td:is([data-label=Mode], [data-label=Events], [data-label=Attempt])::before { content: attr(data-label) " "; color: var(--soft); }
  .method { min-width: 0; margin-inline-end: .25rem; }
  td:has(> time) { margin-inline-start: auto; color: var(--soft); }
  h1 { font-size: 1.125rem; }
  .code { padding: 2.25rem 0 0; }
  .filters form { flex: 1 1 100%; max-width: none; }
  .tab-bar ul { gap: 0; }
  header { position: relative; }
  .live-switch { position: absolute; top: .625rem; right: 1rem; }
}`;

/** The stylesheet of the local stage's own pages. */
export const STYLESHEET = compact(PAGE_STYLE + PILLS + PARTS + DASHBOARD);
