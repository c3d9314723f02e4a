import { TIME_FORMAT } from './formats.ts';

/**
 * The one script of the pages. It adds the time in the browser's zone below each time in UTC, unless both are the same.
 * Without scripts, the time in UTC remains.
 */
export const LOCAL_TIMES = `
for (const time of document.querySelectorAll("time")) {
  const date = new Date(time.dateTime);
  if (date.getTimezoneOffset()) {
    const format = new Intl.DateTimeFormat(time.lang, ${JSON.stringify(TIME_FORMAT)});
    time.append(document.createElement("br"), format.format(date));
  }
}`
  .replaceAll(/\s*\n\s*/g, ' ')
  .trim();
