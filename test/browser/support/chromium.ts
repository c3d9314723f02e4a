import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The usual paths of Chromium and Chrome on Linux and macOS. */
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser's executable: the file at `CHROMIUM_PATH`, else that of `playwright-core install chromium`, else the first
 * at a usual path.
 *
 * @throws Error with one sentence if there is none
 */
export const findChromium = ({ CHROMIUM_PATH } = process.env): string => {
  const candidates = CHROMIUM_PATH ? [CHROMIUM_PATH] : [chromium.executablePath(), ...USUAL_PLACES];
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    CHROMIUM_PATH
      ? `There is no browser at ${CHROMIUM_PATH} (CHROMIUM_PATH).`
      : 'There is no Chromium: install one, or set CHROMIUM_PATH to its executable.',
  );
};

/** Starts Chromium without a window, and without its sandbox, which needs rights that containers lack. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
