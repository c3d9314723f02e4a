import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDER = '.github/workflows';
const workflows = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(`${FOLDER}/${name}`, 'utf8'),
}));
const scripts = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts,
);

describe.each(workflows)('the workflow $name', ({ text }) => {
  it('pins every action by its hash, or uses a workflow of this repository', () => {
    const actions = [...text.matchAll(/uses: (.+)/g)].map(([, action]) => action);
    expect(actions).not.toStrictEqual([]);
    for (const action of actions)
      expect(action).toMatch(/^(?:\.\/\S+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d\S*)$/);
  });

  it('stores no AWS key, and lets no expression into a shell', () => {
    expect(text).not.toMatch(/secrets\.|aws-access-key-id/);
    const commands = [...text.matchAll(/run: (.+(?:\n {10,}.+)*)/g)].map(([, command]) => command);
    for (const command of commands) expect(command).not.toContain('${{');
  });

  it('runs only scripts that there are', () => {
    const names = [...text.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name ?? '');
    expect(names.filter((name) => name !== 'ci' && !scripts.includes(name))).toStrictEqual([]);
  });
});
