/** The styles of the path of an integration. */
export const PATH_STYLE = `
.path summary { font-weight: 400; }
.path h2 { display: inline; }
.path ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .75rem 1.5rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.path li { display: flex; gap: .75rem; }
.path li .soft { font-size: .875rem; }
.mark { flex: none; width: 1.5rem; height: 1.5rem; border: 1px solid var(--edge); border-radius: 50%; color: var(--soft); font-size: .875rem; line-height: 1.375rem; text-align: center; }
.done .mark { border-color: transparent; background: var(--good-pane); color: var(--good); font-weight: 700; }`;
