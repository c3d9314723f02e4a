import { expect, test } from 'vitest';
import { codeTabs, highlight } from '../../../../../infra/local/pages/parts/code.ts';
import { textOf } from '../pages.ts';

test('a program keeps its text when it gets colours', () => {
  const text = `const a = 'it\\'s <b>'; // 12\nprint("x", 4.5) # "y"\n`;
  const html = String(highlight(text));
  expect(
    textOf(html)
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>'),
  ).toBe(text);
  for (const part of [
    'word">const',
    'string">&#39;it\\&#39;s &lt;b&gt;&#39;',
    'comment">// 12',
    'number">4.5',
  ])
    expect(html).toContain(`<span class="t-${part}</span>`);
});

test('of the samples in several languages, the first is chosen, and each can be copied', () => {
  const html = String(codeTabs('call', 'the call', { python: 'b', curl: 'a' }));
  const tabs = [...html.matchAll(/value="(\w+)"( checked)?>/g)].map(([, language, checked]) => [
    language,
    checked,
  ]);
  expect(tabs).toStrictEqual([
    ['curl', ' checked'],
    ['python', undefined],
  ]);
  for (const language of ['curl', 'python']) expect(html).toContain(`data-copy="call-${language}"`);
});
