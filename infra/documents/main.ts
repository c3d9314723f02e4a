import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { BRANCH, FULL, PRODUCTION, synthesise } from '../../test/infra/stack/template.ts';
import { runCommandLine } from '../terminal/command-line.ts';
import { DOCUMENTS, generateDocument } from './documents.ts';

const program = new Command('npm run documents --')
  .description('Writes the tables that the documents get from the code.')
  .option('--check', 'write nothing, and exit with 1 if a document differs', false);

program.action(({ check }: { check: boolean }) => {
  const templates = {
    production: synthesise(PRODUCTION).template,
    branch: synthesise(BRANCH).template,
    full: synthesise(FULL).template,
  };
  for (const path of DOCUMENTS) {
    const { text, generated } = generateDocument(path, () => templates);
    if (text === generated) continue;
    process.stdout.write(`${path} ${check ? 'differs: run npm run documents.' : 'is written.'}\n`);
    if (!check) writeFileSync(path, generated);
    else process.exitCode = 1;
  }
});

await runCommandLine(program);
