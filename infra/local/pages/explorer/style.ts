import { compact } from '../../../../lib/pages/stylesheet.ts';
import { HEADER_STYLE } from '../../../errors-page/page-frame.ts';

/** The styles of the page to try the API: Swagger UI in the colours of this stage. Its own rules are in a layer, and yield to these. */
export const EXPLORER_STYLE = compact(`${HEADER_STYLE}
noscript p { max-width: 72rem; margin: 1.25rem auto; padding: 0 1rem; }
noscript a { color: var(--accent); }
.swagger-ui {
  &, :not(pre, pre *, code, textarea) { color: inherit; font-family: inherit; }
  .info .title { font-size: 1.5rem; }
  .info .title small { top: 0; vertical-align: middle; }
  /* Names do not break. On a phone, each is above its description. */
  .parameter__name { white-space: nowrap; }
  @media (max-width: 46rem) {
    .parameters :is(tbody, tr, td) { display: block; max-width: none; }
    .parameters thead { display: none; }
    .filter .operation-filter-input { max-width: none; }
  }
  &, .scheme-container { background: var(--page); box-shadow: none; }
  :is(small, .opblock-summary-description, .parameter__in, .parameter__extension) { color: var(--soft); }
  :is(.info, .payment-link) a { color: var(--accent); }
  :not(pre) > code { background: var(--pane); color: var(--ink); }
  :is(.opblock, section.models, .modal-ux) { border: 1px solid var(--line); border-radius: .75rem; background: var(--card); box-shadow: none; }
  :is(.opblock-summary, .opblock-tag, thead *, section.models h4) { border-color: var(--line); }
  :is(.opblock-section-header, .model-container) { background: var(--pane); box-shadow: none; }
  :is(input, textarea, select) { border: 1px solid var(--edge); background-color: var(--page); color: var(--ink); }
  :is(.btn, .opblock-summary-method) { border-color: var(--edge); border-radius: .5rem; background: var(--card); box-shadow: none; }
  :is(.btn.execute, .opblock-summary .opblock-summary-method) { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); text-shadow: none; }
  .opblock-delete .opblock-summary-method { background: var(--bad); }
  .opblock-post .opblock-summary-method { background: var(--good); }
  .btn.authorize { border-color: var(--good); color: var(--good); fill: var(--good); }
  .btn.cancel { border-color: var(--bad); color: var(--bad); }
  /* Contrast of at least 4.5 to 1. The highlighted numbers have their colour in an attribute. */
  :is(.info .title small, .info .title small pre, .download-contents) { background: #4a5160; color: #fff; }
  .microlight span[style*='211'] { color: #ff9d9d !important; }
  /* Less empty space. There is one server, and no link between responses. */
  .wrapper { max-width: 72rem; padding: 0 1rem; }
  .info { margin: 1.5rem 0; }
  .scheme-container { padding: 0 0 1rem; }
  .filter .operation-filter-input { margin: 0 0 .5rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .5rem; }
  :is(.servers-title, .servers, .response-col_links) { display: none; }
  .body-param__text { min-height: 0; height: 11rem; }
  /* The names of the rate limit headers are long. */
  :is(.payment-link, .headers td, .header-col) { overflow-wrap: anywhere; }
  /* The folded line has both. */
  .folded :is(.response > .response-col_status, .response-col_description__inner:first-child) { display: none; }
}`);
