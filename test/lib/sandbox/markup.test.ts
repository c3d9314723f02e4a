import { describe, expect, it } from 'vitest';
import { markup, trusted } from '../../../lib/sandbox/markup.ts';

const text = (value: string): string => markup`<b title="${value}">${value}</b>`.toString();

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
  ])('writes every string as text, in attributes and between them: %j', (value, escaped) => {
    expect(text(value)).toBe(`<b title="${escaped}">${escaped}</b>`);
  });

  it('takes markup as it is, once', () => {
    const inner = markup`<i>${'<'}</i>`;
    expect(markup`<b>${inner}${[inner, trusted('<br>')]}</b>`.toString()).toBe(
      '<b><i>&lt;</i><i>&lt;</i><br></b>',
    );
  });

  it('writes nothing for what is absent', () => {
    expect(markup`<b>${undefined}${false}${[]}${''}</b>`.toString()).toBe('<b></b>');
  });

  it('does not take for markup what only looks like it', () => {
    const texts = ['<script>'] as unknown as undefined;
    expect(markup`${texts}`.toString()).toBe('&lt;script&gt;');
    const forged = { toString: () => '<script>' } as unknown as string;
    expect(() => markup`${forged}`.toString()).toThrow(TypeError);
  });
});
