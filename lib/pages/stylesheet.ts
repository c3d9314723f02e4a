const COLOURS = `
:root {
  color-scheme: light dark;
  --page: #eef0f5; --card: #fff; --pane: #f8f9fc; --line: #dde1ea; --edge: #b6bdcc; --ink: #151922; --soft: #566072;
  --accent: #3347d6; --accent-ink: #fff; --accent-over: #2738b4;
  --wait: #5a4300; --wait-pane: #fff2cc; --good: #0b6240; --good-pane: #dcf5e7; --bad: #9c1f17; --bad-pane: #fde7e4;
  --shadow: 0 1px 2px #1519220f, 0 12px 32px #15192217;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0c0f15; --card: #161a22; --pane: #1b202a; --line: #2d3442; --edge: #4a5365; --ink: #eceff5; --soft: #a3adbd;
    --accent: #8fa2ff; --accent-ink: #0c1130; --accent-over: #a9b8ff;
    --wait: #ffd97a; --wait-pane: #3a2e0b; --good: #7fe0b0; --good-pane: #0f3324; --bad: #ffaaa2; --bad-pane: #421815;
    --shadow: none;
  }
}`;

const TEXT = `
*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
code { font: .8125rem/1.5 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }`;

/** The colours and the type of every page, those of the local stage too. */
export const BASE = COLOURS + TEXT;

/** The states of a cart, and the notice of a rejected action. */
export const PILLS = `
/* Forced colours hide backgrounds and show every border. */
.pill::before { content: ""; display: inline-block; margin-inline-end: .5em; border: .25em solid; border-radius: 50%; vertical-align: .1em; }
.pill { display: inline-block; padding: .0625rem .5rem; border: 1px solid transparent; border-radius: 1rem; font-size: .875rem; font-weight: 600; }
.abandoned, .refunded { background: var(--line); color: var(--soft); }
.late { background: var(--wait-pane); color: var(--wait); }
.completed { background: var(--good-pane); color: var(--good); }
.payment_failed, .rejected { background: var(--bad-pane); color: var(--bad); }`;

/** A stylesheet without comments and needless spaces. */
export const compact = (stylesheet: string): string =>
  stylesheet
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s*([{};,])\s*|(?<=:)\s+/g, '$1')
    .trim();
