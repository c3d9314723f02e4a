import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { releaseNotes } from '../../infra/release-notes.ts';

describe('the notes of a release', () => {
  const CHANGELOG =
    '# Changelog\n\n## 1.1.0 (2026-12-01)\n\n- B.\n  - C\n\n## 1.0.0 (unreleased)\n\n- A.\n\n## 0.9.0 (2026-01-01)\n';

  test("are the version's section of the changelog", () => {
    expect(releaseNotes('v1.1.0', '1.1.0', CHANGELOG)).toBe('- B.\n  - C\n');
  });

  test.each([
    ['another tag', 'nightly', '1.1.0', 'The tag nightly is not v and a version, such as v1.0.0.'],
    [
      'another version',
      'v1.1.0',
      '1.0.0',
      'The tag v1.1.0 is not that of package.json, which has the version 1.0.0.',
    ],
    ['no section', 'v2.0.0', '2.0.0', 'CHANGELOG.md has no section "## 2.0.0 (date)".'],
    ['an empty section', 'v0.9.0', '0.9.0', 'The section of 0.9.0 in CHANGELOG.md is empty.'],
    [
      'no date',
      'v1.0.0',
      '1.0.0',
      'CHANGELOG.md has "## 1.0.0 (unreleased)": replace "unreleased" with the date of the release.',
    ],
  ])('%s is rejected in one sentence', (_what, tag, version, sentence) => {
    expect(() => releaseNotes(tag, version, CHANGELOG)).toThrow(sentence);
  });

  test("the changelog's first section is the version of package.json", () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const [, first] = /^## (.+)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
    expect(first).toMatch(new RegExp(`^${version} \\((?:unreleased|\\d{4}-\\d\\d-\\d\\d)\\)$`));
  });
});
