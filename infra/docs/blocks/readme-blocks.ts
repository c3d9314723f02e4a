import { readFileSync } from 'node:fs';
import { PUBLIC_OPERATIONS } from '../../contract/contracts.ts';
import { DEMO_STORES } from '../../local-access/demo-stores.ts';
import { curlCommand } from '../../local/demo/curl-command.ts';
import { describePrice } from '../../operate/shared/describe-price.ts';
import { code, shell, table, withoutStop } from './markdown.ts';

/** The oldest Node.js for a start: the one on which a job takes the tour. */
export const requirement = (): string => {
  const [beforeTour = ''] = readFileSync('.github/workflows/check.yml', 'utf8').split('npm run test:tour');
  const [, version] = /[^]*node-version: '(.+)'/.exec(beforeTour) ?? [];
  if (version === undefined) throw new Error('check.yml names no Node.js before the tour');
  return `You need npm, and Node.js ${version} or later on Linux or WSL, or 24.12 or later on macOS.`;
};

/** The demo stores of the local stage. */
export const storeTable = (): string =>
  table([
    ['Store', 'Key', 'Products'],
    ...DEMO_STORES.map(({ id, apiKey, products }) => [
      code(id),
      code(apiKey),
      products
        .map(
          (product) => `${code(product.id)} (${product.available ? describePrice(product) : 'unavailable'})`,
        )
        .join(', '),
    ]),
  ]);

/** The first call that a reader makes. */
export const firstCall = (): string => shell(curlCommand('http://127.0.0.1:3000', ' \\\n  '));

/** `/stores/webhook-endpoints` becomes `webhook endpoints`. */
const subjectOf = (path: string): string => path.split('/').at(-1)?.replaceAll('-', ' ') ?? '';

/** A function with fewer operations gets a row for each. */
const GROUPED_MIN = 3;

/** The operations of merchants: each in a row, or those of a function with many in one. */
export const groupedOperationTable = (): string => {
  const byFunction = Map.groupBy(PUBLIC_OPERATIONS, ({ functionName }) => functionName);
  const rows = [...byFunction.values()].flatMap((operations) => {
    const [{ path } = { path: '' }] = operations;
    return operations.length < GROUPED_MIN
      ? operations.map((each) => [code(`${each.method} ${each.path}`), withoutStop(each.summary)])
      : [[code(path), `${operations.length} operations for ${subjectOf(path)}`]];
  });
  return table([['Operation', 'Purpose'], ...rows]);
};
