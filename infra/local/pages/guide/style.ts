import { compact } from '../../../../lib/pages/stylesheet.ts';

/** The styles of the guide's pages. On a phone, the rows of its tables are lists of definitions. */
export const GUIDE_STYLE = compact(`
body:has(.guide) :is(main, header > div) { max-width: 80rem; }
.guide nav ul { margin: 0; padding: 0; list-style: none; }
.guide nav ul ul { margin: .25rem 0 .5rem; padding-inline-start: .75rem; border-inline-start: 2px solid var(--line); font-size: .8125rem; }
.guide nav a { display: block; padding: .125rem 0; color: var(--soft); text-decoration: none; overflow-wrap: break-word; }
.guide nav a:hover { color: var(--ink); text-decoration: underline; }
.guide nav a[aria-current=page] { color: var(--ink); font-weight: 600; }
.guide nav a[aria-current=location] { color: var(--accent); }
.guide nav summary { padding: .25rem 0; font-size: .875rem; font-weight: 600; }
.side input { width: 100%; }
.side [role=search] { position: relative; margin-bottom: .75rem; }
#found:empty { display: none; }
#found { position: absolute; z-index: 2; top: calc(100% + .25rem); left: 0; width: min(36rem, calc(100vw - 2rem)); max-height: 70vh; padding: .5rem; overflow-y: auto; background: var(--card); border: 1px solid var(--edge); border-radius: .75rem; box-shadow: var(--shadow); }
#found a, #found p { display: block; margin: 0; padding: .5rem .75rem; border-radius: .5rem; color: var(--ink); text-decoration: none; font-size: .875rem; overflow-wrap: break-word; }
#found a:is(:hover, :focus) { background: var(--pane); }
#found b { display: block; }
#found mark { background: var(--wait-pane); color: var(--wait); }
.contents { margin-bottom: 1rem; padding: .5rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.contents nav { padding: .5rem 0; }
@media (min-width: 60rem) { @supports selector(::details-content) {
  .guide { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); gap: 1.5rem; align-items: start; }
  .side { position: sticky; top: 1rem; }
  .contents { max-height: calc(100vh - 6rem); padding: 0; overflow-y: auto; background: none; border: 0; }
  .contents > summary { display: none; }
  .contents::details-content { display: block; content-visibility: visible; }
} }
.neighbours { display: flex; justify-content: space-between; gap: 1rem; margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.neighbours [rel=next] { margin-inline-start: auto; text-align: end; }
.neighbours span { display: block; font-size: .8125rem; }
article { overflow-wrap: break-word; }
article h2 { margin-top: 2rem; font-size: 1.25rem; }
article :is(h2, h3) { scroll-margin-top: 1rem; }
.anchor { color: var(--soft); font-weight: 400; text-decoration: none; opacity: 0; }
:is(h2, h3):hover .anchor, .anchor:focus-visible { opacity: 1; }
@media (hover: none) { .anchor { opacity: .6; } }
article pre, article table { margin: .75rem 0; }
article pre { white-space: pre; }
.diagram { margin: 1rem 0; overflow-x: auto; }
.diagram img { display: block; max-width: none; height: auto; margin: 0 auto; }
.diagram .small { max-width: 100%; }
article .code pre { margin: 0; padding-inline-end: .75rem; }
article strong code { font-weight: 600; }
/* A shadow shows that there is more. */
article .scroll { background: linear-gradient(to right, var(--card) 30%, #0000), linear-gradient(to left, var(--card) 30%, #0000) 100% 0, radial-gradient(farthest-side at 0 50%, var(--edge), #0000), radial-gradient(farthest-side at 100% 50%, var(--edge), #0000) 100% 0; background-repeat: no-repeat; background-size: 2.5rem 100%, 2.5rem 100%, .875rem 100%, .875rem 100%; background-attachment: local, local, scroll, scroll; }
article li { margin: .25rem 0; }
@media (max-width: 46rem) {
  .guide > section { margin-inline: -1rem; padding-inline: 1rem; border-inline: 0; border-radius: 0; }
  article table[role] tr { display: block; margin-bottom: .75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; }
  article table[role] td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .75rem; padding: .125rem 0; }
  article table[role] td::before { content: attr(data-label); color: var(--soft); }
  article table[role] td:first-child, article table[role] tr:has(> :nth-child(2):last-child) td { display: block; }
  article table[role] td:first-child::before, article table[role] tr:has(> :nth-child(2):last-child) td::before { content: none; }
  article table[role] td:first-child { font-weight: 600; }
  /* The first card says what the first column is. */
  article table[role] tr:first-child td:first-child::before { content: attr(data-label); font-weight: 400; }
}`);
