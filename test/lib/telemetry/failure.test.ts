import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../../lib/telemetry/failure.ts';

describe('a logged failure', () => {
  it('has its name and its frames, but not its message', () => {
    const { frames, ...rest } = describeFailure(new TypeError('any'));
    expect(rest).toStrictEqual({ name: 'TypeError' });
    expect(frames).toContainEqual(expect.stringContaining('failure.test.ts'));
  });

  it('has its code, if that is a text', () => {
    const error = Object.assign(new Error('any'), { code: 'ECONNRESET' });
    expect(describeFailure(error)).toMatchObject({ code: 'ECONNRESET' });
    expect(describeFailure(new Error('any'))).not.toHaveProperty('code');
    // The code of a DOMException is a number that adds nothing to its name.
    expect(describeFailure(new DOMException('any', 'DataCloneError'))).not.toHaveProperty('code');
  });

  it.each([
    ['string', 'the text of a request'],
    ['object', { text: 'the text of a request' }],
    ['undefined', undefined],
  ])('that is not an Error has only its type: %s', (name, thrown) => {
    expect(describeFailure(thrown)).toStrictEqual({ name });
  });
});
