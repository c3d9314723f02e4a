import { readFileSync } from 'node:fs';
import { slug } from 'github-slugger';
import { expect, test } from 'vitest';
import { STEPS } from '../../../../../infra/local/checklist/checklist.ts';
import { checklistSection } from '../../../../../infra/local/pages/home/checklist-section.ts';
import { NOW_MS } from '../../../../support/clock.ts';
import { sectionsOf } from '../../../../support/documents/markdown.ts';
import { newEndpoint } from '../../../../support/domain/endpoints.ts';
import { DEMO_LOG, textOf } from '../pages.ts';

const CART = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';
const ENDPOINT = { ...newEndpoint({ ...DEMO_LOG, endpointId: 'we_1' }), state: { failures: 0 } };

const evidence = { atMs: NOW_MS, program: '<node>', cartId: CART };
const ALL = Object.fromEntries(STEPS.map((step) => [step, evidence]));

const render = (...args: Parameters<typeof checklistSection>): string => checklistSection(...args).toString();

test('each step leads to a section of the guide', () => {
  const html = render({}, []);
  const anchors = [...html.matchAll(/href="\/guide\/integrate.md#([\w-]+)"/g)].map(([, anchor]) => anchor);
  const sections = [...sectionsOf(readFileSync('docs/integrate.md', 'utf8')).keys()].map((each) =>
    slug(each),
  );
  expect(anchors).toHaveLength(STEPS.length);
  for (const anchor of anchors) expect(sections).toContain(anchor);
});

test('only a step that the stage saw is done, with what it saw', () => {
  const html = render({ created: evidence }, []);
  expect(html.match(/<li class="done">/g)).toHaveLength(1);
  const [, item = ''] = /<li class="done">(.*?)<\/li>/s.exec(html) ?? [];
  expect(item).toContain('Your program created a cart');
  expect(item).toContain('&lt;node&gt;, cart ');
  expect(item).toContain(`href="/carts/${CART}"`);
  expect(textOf(html)).toContain('1 of 6 steps');
});

test('an endpoint of the user has a button that checks it until the step is done', () => {
  const checked = '&quot;path&quot;:&quot;/endpoint-checks/we_1&quot;';
  expect(render({}, [ENDPOINT])).toContain(checked);
  const other = { ...ENDPOINT, storeId: 'shop' };
  expect(render({}, [other])).not.toContain(checked);
  expect(render({ verified: { atMs: NOW_MS, endpointId: 'we_1' } }, [ENDPOINT])).not.toContain(checked);
});

test('the checklist is open until its last step is done', () => {
  const { read, ...others } = ALL;
  expect(read).toBeDefined();
  expect(render(others, [])).toMatch(/<details class="checklist" id="checklist" open>/);
  expect(render(ALL, [])).toMatch(/<details class="checklist" id="checklist-done">/);
});
