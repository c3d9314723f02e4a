import { describe, expect, it } from 'vitest';
import { withTestModeIssues } from '../../../lib/http/read-input.ts';

describe('a misspelled field', () => {
  const issues = ['Email', 'e_mail'].map((path) => ({ path, message: 'Misspelled' }));
  const misspelled = issues.map((issue) => ({ ...issue, loggedAs: 'email' }));
  const valid = { ok: true, input: 'a' } as const;
  const loggedIssues = ['email'];

  it('is ignored in live mode, and reported for the log by the name that is meant, once', () => {
    expect(withTestModeIssues(valid, misspelled, 'live')).toStrictEqual({ ...valid, loggedIssues });
    expect(withTestModeIssues(valid, [], 'test')).toStrictEqual(valid);
  });

  it('is an issue in test mode, before the issues of fields, at most 20 in all', () => {
    const rejected = { ok: false, details: issues, loggedIssues };
    expect(withTestModeIssues(valid, misspelled, 'test')).toStrictEqual(rejected);
    const details = Array.from({ length: 20 }, (_, index) => ({
      path: `meta.${index}`,
      message: 'Too long',
    }));
    expect(withTestModeIssues({ ok: false, details }, misspelled, 'test')).toStrictEqual({
      ...rejected,
      details: [...issues, ...details.slice(0, 18)],
    });
  });

  it('replaces the issue of the absent field that it means, and no other one', () => {
    const misspelledUrl = {
      path: 'redirect_url',
      message: 'Misspelled',
      means: 'redirectURL',
      loggedAs: 'a',
    };
    const details = ['redirectURL', 'email'].map((path) => ({ path, message: `${path} is required` }));
    const result = withTestModeIssues({ ok: false, details }, [misspelledUrl], 'test');
    expect(result).toMatchObject({ details: [{ path: 'redirect_url' }, { path: 'email' }] });
  });
});
