import { markup, trusted } from './markup.ts';

/** The icon as SVG, safe within double quotes. API Gateway would misread a `#` on the page of errors. */
const SVG =
  "<svg xmlns='http://www.w3.org/2000/svg' width='28' height='28' aria-hidden='true'>" +
  "<rect width='28' height='28' rx='7' fill='rgb(51,71,214)'/>" +
  "<path d='M5 7h3l2.5 10h9L22 10H9' fill='none' stroke='white' stroke-width='2.3'/>" +
  "<path d='M10 20h3v3h-3zM17 20h3v3h-3z' fill='white'/></svg>";

/** The icon within a page. */
export const ICON = trusted(SVG);

const ADDRESS = SVG.replaceAll('<', '%3C').replaceAll('>', '%3E');

/** The icon of a page's tab. The page needs `img-src data:` in its policy. */
export const ICON_LINK = markup`<link rel="icon" href="data:image/svg+xml,${trusted(ADDRESS)}">`;
