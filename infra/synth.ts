import { spawnSync } from 'node:child_process';

// The CDK reports each bundle and its own feature flags: more than a synthesis that succeeded has to say.
const { error, status, stdout, stderr } = spawnSync(
  'cdk',
  ['synth', '--quiet', '--strict', ...process.argv.slice(2)],
  { encoding: 'utf8', maxBuffer: Infinity },
);
if (status === 0) process.stdout.write('The stack and its bundles are synthesised.\n');
else if (error)
  process.stderr.write(`The CDK cannot be run: run "npm ci --include=dev" (${error.message}).\n`);
else process.stderr.write(`${stdout}${stderr}`);
process.exitCode = status ?? 1;
