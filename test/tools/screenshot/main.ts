import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../browser/support/chromium.ts';
import { createCartOn } from '../../browser/support/visitor.ts';
import { startService, stopProcesses, WITH_RECEIVER } from '../../support/programs/processes.ts';
import { createLogFolder, removeLogFolder } from '../../support/logs/log-files.ts';
import { runTool } from '../run-tool.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FILE = join(ROOT, 'docs/dashboard.png');
const BYTES_MAX = 200_000;

/** Creates a test cart on the dashboard, pays it, and takes a picture when the webhook is verified. */
const takePicture = async (browser: Browser, baseUrl: string): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 1_120, height: 960 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(baseUrl);
  const payment = await createCartOn(page);
  await payment.locator('#pay').click();
  await page.getByText('signature verified').waitFor();
  await page.getByText('completed', { exact: true }).waitFor();
  await page.screenshot({ path: FILE });
};

const program = new Command('npm run screenshot').description(
  "Makes the README's picture of the dashboard, from a local stage on port 3000 with a cart that is paid.",
);

await runTool(program, async (cleanUp) => {
  createLogFolder();
  cleanUp.defer(removeLogFolder);
  cleanUp.defer(stopProcesses);
  const { baseUrl } = await startService(['--port', '3000', '--data', 'memory', WITH_RECEIVER]);
  const browser = await launchChromium();
  cleanUp.defer(() => browser.close());
  await takePicture(browser, baseUrl);
  const { size } = statSync(FILE);
  if (size > BYTES_MAX) throw new Error(`The picture has ${size} bytes, more than ${BYTES_MAX}.`);
  process.stdout.write(`${relative(ROOT, FILE)}: ${size} bytes\n`);
});
