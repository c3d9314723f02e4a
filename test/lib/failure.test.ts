import { describe, expect, it } from 'vitest';
import { DatabaseContentionError, TableThrottledError } from '../../lib/dynamodb.ts';
import { describeFailure } from '../../lib/failure.ts';

describe('a failure that is logged', () => {
  it.each([
    ['TypeError', new TypeError('any')],
    ['DatabaseContentionError', new DatabaseContentionError()],
    ['TableThrottledError', new TableThrottledError()],
  ])('is told by its name and where it arose, without its message: %s', (name, error) => {
    const { frames, ...rest } = describeFailure(error);
    expect(rest).toStrictEqual({ name });
    expect(frames).toContainEqual(expect.stringContaining('failure.test.ts'));
  });

  it('is told by its code, if it has one that is a text', () => {
    expect(describeFailure(Object.assign(new Error('any'), { code: 'ECONNRESET' }))).toMatchObject({
      code: 'ECONNRESET',
    });
    expect(describeFailure(new Error('any'))).not.toHaveProperty('code');
    // A DOMException's is a number that says no more than its name.
    expect(describeFailure(new DOMException('any', 'DataCloneError'))).not.toHaveProperty('code');
  });

  it.each([
    ['string', 'the text of a request'],
    ['object', { text: 'the text of a request' }],
    ['undefined', undefined],
  ])('that is no error is told by its type alone: %s', (name, thrown) => {
    expect(describeFailure(thrown)).toStrictEqual({ name });
  });
});
