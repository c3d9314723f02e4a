import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../browser/support/chromium.ts';
import { createCartOn } from '../../browser/support/visitor.ts';
import { createLogFolder, removeLogFolder } from '../../support/logs/log-files.ts';
import { installPackages } from '../../support/programs/install-packages.ts';
import { startService, stopProcesses, WITH_RECEIVER } from '../../support/programs/processes.ts';
import { runTool } from '../run-tool.ts';

const ROOT = join(import.meta.dirname, '../../..');
const STILL = join(ROOT, 'docs/dashboard.png');
const ANIMATED = join(ROOT, 'docs/dashboard-animated.webp');
const STILL_BYTES_MAX = 200_000;
const ANIMATED_BYTES_MAX = 1_000_000;
/** Then the animation rests on its last frame. */
const PLAYS = 3;

await installPackages(join(import.meta.dirname, '..'));
const { default: sharp } = await import('sharp');

/** A picture of the animation, and how long it is shown. */
interface Frame {
  readonly png: Buffer;
  readonly shownMs: number;
}

const WINDOW = { width: 1_120, height: 720 };

/** The window that shows the first carts and events of the dashboard. It cuts no row. */
const STILL_WINDOW = { width: 1_120, height: 958 };

/** Scrolls to the carts and events. */
const SHOW_LISTS = "document.querySelector('#carts').parentElement.scrollIntoView()";

/**
 * Takes the pictures of a payment, from the loaded dashboard to the verified webhook, and of another cart that is paid twice. The
 * still picture shows the dashboard after both.
 *
 * @returns the frames, and the seconds from the first click to the verified webhook without the time of the pictures
 */
const takePictures = async (
  browser: Browser,
  baseUrl: string,
): Promise<{ frames: Frame[]; seconds: number }> => {
  const context = await browser.newContext({ viewport: WINDOW, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(baseUrl);
  const frames: Frame[] = [];
  let pausedMs = 0;
  const take = async (shown: Page, shownMs: number): Promise<void> => {
    const startMs = performance.now();
    frames.push({ png: await shown.screenshot(), shownMs });
    pausedMs += performance.now() - startMs;
  };
  await take(page, 1_500);

  const startMs = performance.now();
  const payment = await createCartOn(page);
  await take(payment, 1_500);
  await payment.locator('#pay').click();
  const verified = page.getByText('signature verified').first();
  await verified.waitFor();
  const seconds = (performance.now() - startMs - pausedMs) / 1_000;
  await page.evaluate(SHOW_LISTS);
  await take(page, 3_000);

  const second = await createCartOn(page);
  const payTwice = second.locator('button[value=pay_twice]');
  await second.locator('details', { has: payTwice }).locator('summary').click();
  await payTwice.scrollIntoViewIfNeeded();
  await payTwice.hover();
  await take(second, 2_000);
  await payTwice.click();
  await page.getByRole('row', { name: /^cart.duplicate_payment.*signature verified/ }).waitFor();
  await page.evaluate(SHOW_LISTS);
  await take(page, 4_000);

  await page.setViewportSize(STILL_WINDOW);
  await page.goto(baseUrl);
  await verified.waitFor();
  await page.screenshot({ path: STILL });
  return { frames, seconds };
};

/** Joins the frames into an animated WebP, which every browser shows. */
const writeAnimation = (frames: readonly Frame[]): Promise<unknown> =>
  sharp(
    frames.map(({ png }) => png),
    { join: { animated: true } },
  )
    .webp({ lossless: true, loop: PLAYS, delay: frames.map(({ shownMs }) => shownMs) })
    .toFile(ANIMATED);

const checkSize = (file: string, bytesMax: number): string => {
  const { size } = statSync(file);
  if (size > bytesMax) throw new Error(`${relative(ROOT, file)} has ${size} bytes, more than ${bytesMax}.`);
  return `${relative(ROOT, file)}: ${size} bytes\n`;
};

const program = new Command('npm run screenshot').description(
  "Makes the README's pictures of the dashboard, a still one and an animated one, from a local stage on port 3000.",
);

await runTool(program, async (cleanUp) => {
  createLogFolder();
  cleanUp.defer(removeLogFolder);
  cleanUp.defer(stopProcesses);
  const { baseUrl } = await startService(['--port', '3000', '--data', 'memory', WITH_RECEIVER]);
  const browser = await launchChromium();
  cleanUp.defer(() => browser.close());
  const { frames, seconds } = await takePictures(browser, baseUrl);
  await writeAnimation(frames);
  process.stdout.write(checkSize(STILL, STILL_BYTES_MAX) + checkSize(ANIMATED, ANIMATED_BYTES_MAX));
  process.stdout.write(`From the first click to the verified webhook: ${seconds.toFixed(1)} s\n`);
});
