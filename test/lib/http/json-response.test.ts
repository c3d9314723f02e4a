import { expect, it } from 'vitest';
import { conditionalResponse } from '../../../lib/http/json-response.ts';

it('the ETag covers every byte of the body', () => {
  const long = 'x'.repeat(10_000);
  const tags = [`${long}1`, `${long}2`, `1${long}`, `2${long}`, long].map(
    (body) => conditionalResponse(body, undefined).headers?.['ETag'],
  );
  expect(new Set(tags).size).toBe(tags.length);
  expect(conditionalResponse(long, undefined).headers).toStrictEqual({ ETag: tags.at(-1) });
});
