import { describe, expect, it } from 'vitest';
import { markup, trusted } from '../../../lib/pages/markup.ts';

describe('markup', () => {
  it.each([
    ['<script>', '&lt;script&gt;'],
    ['a & b', 'a &amp; b'],
    ['&lt;', '&amp;lt;'],
    [`" '`, '&quot; &#39;'],
    ['a\r\nb', 'a&#13;\nb'],
    ['a\0b', 'a\uFFFDb'],
    ['$& $1 ${x} `', '$&amp; $1 ${x} `'],
    ['Zoë 😀 \u202E', 'Zoë 😀 \u202E'],
  ])('escapes every string, in attributes and in content: %j', (text, escaped) => {
    expect(markup`<b title="${text}">${text}</b>`.toString()).toBe(`<b title="${escaped}">${escaped}</b>`);
  });

  it('inserts markup unchanged, and nothing for absent values', () => {
    const inner = markup`<i>${'<'}</i>${undefined}${false}${[]}${''}`;
    expect(markup`<b>${inner}${[inner, trusted('<br>')]}</b>`.toString()).toBe(
      '<b><i>&lt;</i><i>&lt;</i><br></b>',
    );
  });

  it('inserts no other object unescaped', () => {
    const texts = ['<script>'] as unknown as undefined;
    expect(markup`${texts}`.toString()).toBe('&lt;script&gt;');
    const forged = { toString: () => '<script>' } as unknown as string;
    expect(() => markup`${forged}`.toString()).toThrow(TypeError);
  });
});
