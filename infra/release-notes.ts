import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tag of a release: `v` and its version (Semantic Versioning 2.0.0, without build metadata). */
const TAG = /^v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/;

/** The heading of a version: `## 1.0.0 (2026-12-01)`. Before its release, it has the word `unreleased`. */
const HEADING = /^## (\S+) \((\S+)\)$/;

/**
 * The notes of a release: the version's section of the changelog.
 *
 * @param version the version of package.json
 * @throws Error with one sentence if the tag, the version and the changelog do not fit together
 */
export const releaseNotes = (tag: string, version: string, changelog: string): string => {
  const tagged = TAG.exec(tag)?.[1];
  if (tagged === undefined) throw new Error(`The tag ${tag} is not v and a version, such as v1.0.0.`);
  if (tagged !== version) {
    throw new Error(`The tag ${tag} is not that of package.json, which has the version ${version}.`);
  }
  const sections = changelog.split(/^(?=## )/m).map((text) => text.trim());
  const section = sections.find((text) => HEADING.exec(text.split('\n')[0] ?? '')?.[1] === version);
  const [heading = '', ...lines] = section?.split('\n') ?? [];
  const date = HEADING.exec(heading)?.[2];
  if (date === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} (date)".`);
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) {
    throw new Error(`CHANGELOG.md has "${heading}": replace "${date}" with the date of the release.`);
  }
  const notes = lines.join('\n').trim();
  if (notes === '') throw new Error(`The section of ${version} in CHANGELOG.md is empty.`);
  return `${notes}\n`;
};

// It runs in a job that may write to the repository, so it imports no package.
if (import.meta.main) {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  try {
    process.stdout.write(releaseNotes(process.argv[2] ?? '', version, read('CHANGELOG.md')));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
