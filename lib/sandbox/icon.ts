import { markup, trusted } from './markup.ts';

/** The icon as SVG. It has no `#`, which API Gateway would misread on the page of errors. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">' +
  '<rect width="28" height="28" rx="7" fill="rgb(51,71,214)"/>' +
  '<path d="M5 7h3l2.5 10h9L22 10H9" fill="none" stroke="white" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"/>' +
  '<circle cx="11.5" cy="21" r="1.75" fill="white"/><circle cx="18.5" cy="21" r="1.75" fill="white"/></svg>';

/** The icon within a page. */
export const ICON = trusted(SVG);

/** The icon of a page's tab. The page needs `img-src data:` in its policy. */
export const ICON_LINK = markup`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(SVG)}">`;
