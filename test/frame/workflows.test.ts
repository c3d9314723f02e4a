import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe.each(globSync('.github/workflows/*.yml'))('%s', (path) => {
  const workflow = readFileSync(path, 'utf8');

  test('pins every action by its hash, or uses a workflow of this repository', () => {
    const actions = [...workflow.matchAll(/uses: (.+)/g)].map(([, action]) => action);
    expect(actions).not.toStrictEqual([]);
    for (const action of actions)
      expect(action).toMatch(/^(?:\.\/\S+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d\S*)$/);
  });

  test('stores no AWS key, and passes no expression to a shell', () => {
    expect(workflow).not.toMatch(/secrets\.|aws-access-key-id/);
    const commands = [...workflow.matchAll(/run: (.+(?:\n {10,}.+)*)/g)].map(([, command]) => command);
    for (const command of commands) expect(command).not.toContain('${{');
  });

  test('runs only npm scripts that exist', () => {
    const names = [...workflow.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name ?? '');
    expect(names.filter((name) => name !== 'ci' && !(name in scripts))).toStrictEqual([]);
  });
});
