import { BASE, compact, PILLS } from '../../../lib/pages/stylesheet.ts';

const FRAME = `
h1, h2, p, dl, dd, ul { margin: 0; padding: 0; }
/* Separate blocks: a control character in one cannot turn or overlap the text around it. */
bdi { display: inline-block; max-width: 100%; overflow: clip; overflow-clip-margin: .25em; vertical-align: top; }
.banner { padding: .5rem 1rem; background: var(--wait-pane); color: var(--wait); text-align: center; font-size: .875rem; }
main { max-width: 27rem; margin: 0 auto; }
.card { display: grid; overflow: hidden; background: var(--card); border-bottom: 1px solid var(--line); }
section { min-width: 0; padding: 1.75rem 1.25rem; }
.summary { background: var(--pane); border-bottom: 1px solid var(--line); }
.controls { margin: 1.5rem 1rem 0; padding: 1.25rem; border: 2px dashed var(--edge); border-radius: 1rem; }
footer { padding: 1.25rem; color: var(--soft); font-size: .8125rem; text-align: center; }
/* A reference stays on one line, also on a phone. */
footer code { display: inline-block; font-size: .75rem; }
@media (min-width: 28rem) {
  main { margin-top: 2.5rem; }
  .card { border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow); }
  section { padding: 2rem; }
  .controls { margin-inline: 0; padding: 1.5rem 2rem; }
}
@media (min-width: 46rem) {
  main { max-width: 58rem; padding: 0 1rem; }
  .card { grid-template-columns: 1fr 1fr; }
  .alone { display: block; max-width: 36rem; margin: 0 auto; }
  .summary { border: 0; border-inline-end: 1px solid var(--line); }
}`;

const PARTS = `
h1, h2 { font-size: 1.25rem; font-weight: 600; line-height: 1.4; }
h2 { margin-bottom: .75rem; }
.label, dt { color: var(--soft); font-size: .8125rem; font-weight: 400; line-height: 1.5rem; }
.back { display: inline-block; margin-bottom: 1rem; color: var(--soft); font-size: .9375rem; line-height: 1.5rem; text-decoration: none; }
.back:hover { color: var(--ink); text-decoration: underline; }
.back::before { content: "←" / ""; margin-inline-end: .5em; }
.seller { margin-bottom: 1rem; font-weight: 600; }
.seller .label { display: block; }
.amount {
  display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem;
  margin: 1rem 0 1.5rem; padding-top: .75rem; border-top: 1px solid var(--line);
  font-size: 2.25rem; font-weight: 700; line-height: 1.25; letter-spacing: -.02em;
}
.amount .label { font-size: 1rem; font-weight: 600; letter-spacing: 0; }
.long { font-size: 1.75rem; }
.longest { font-size: 1.25rem; }
dl > div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .25rem 0; }
dd { margin-inline-start: auto; }
.state { margin-bottom: 1.5rem; }
.state p:not(.pill) { margin-top: .75rem; }
.notice { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .625rem; font-size: .9375rem; }
.rejected { border-color: transparent; }
form { display: grid; gap: 1.25rem; }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
legend { margin-bottom: .5rem; padding: 0; font-size: .875rem; font-weight: 600; }
label { display: flex; gap: .75rem; align-items: center; padding: .75rem 1rem; border: 1px solid var(--edge); cursor: pointer; }
label:first-of-type { border-radius: .625rem .625rem 0 0; }
label:last-of-type { margin-top: -1px; border-radius: 0 0 .625rem .625rem; }
label:has(:checked) { position: relative; border-color: var(--accent); background: var(--pane); }
label span { color: var(--soft); font-size: .875rem; }
label b { display: block; color: var(--ink); font: 600 1rem/1.5 ui-monospace, monospace; }
/* A card. */
label::after { content: ""; flex: none; width: 2.25rem; height: 1.5rem; margin-inline-start: auto; border: 1px solid var(--edge); border-radius: .25rem; background: linear-gradient(var(--edge), var(--edge)) 0 .3rem / 100% .25rem no-repeat; }
input { accent-color: var(--accent); }
button, .button {
  display: block; width: 100%; min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--edge);
  border-radius: .625rem; background: var(--card); color: var(--ink); font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer;
}
button:disabled { opacity: .6; cursor: progress; }
.button { display: grid; place-items: center; }
dl + .button, p + .button { margin-top: 1.75rem; }
button:hover, .button:hover { border-color: var(--soft); }
.primary { min-height: 3.25rem; border-color: transparent; background: var(--accent); color: var(--accent-ink); font-size: 1.0625rem; }
.primary:hover { border-color: transparent; background: var(--accent-over); }
.alone p { margin-top: .5rem; }
.controls ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1.25rem 1.5rem; margin-top: 1.25rem; list-style: none; }
.controls p, summary span { color: var(--soft); font-size: .875rem; }
summary { cursor: pointer; }
summary h2 { display: inline; font-size: 1rem; }
summary span { display: block; margin-top: .25rem; }
li p { margin-top: .375rem; }
@media (prefers-reduced-motion: no-preference) {
  button, .button { transition: background-color .12s, border-color .12s; }
}`;

/** The stylesheet of the payment page and its errors. */
export const STYLESHEET = compact(BASE + PILLS + FRAME + PARTS);
