import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { BRANCH_CONTEXT, FULL_CONTEXT, PRODUCTION_CONTEXT } from '../example-stages/contexts.ts';
import { synthesise } from '../example-stages/synthesise.ts';
import { runCommandLine } from '../terminal/command-line.ts';
import { DECLARATIONS, generateDeclarations } from './clients/client-declarations.ts';
import { writeDiagrams } from './diagrams.ts';
import { DOCUMENTS, generateDocument } from './documents.ts';
import { LLMS_INDEX, renderLlmsIndex } from './llms-index.ts';

const program = new Command('npm run docs --')
  .description('Writes the tables that the documents get from the code.')
  .option('--check', 'write nothing, and exit with 1 if a document differs', false)
  .option('--diagrams', 'write the diagrams instead, as SVG files. Their renderer comes from npm', false);

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

program.action(async ({ check, diagrams }: { check: boolean; diagrams: boolean }) => {
  if (diagrams) return writeDiagrams();
  const templates = {
    production: synthesise(PRODUCTION_CONTEXT).template,
    branch: synthesise(BRANCH_CONTEXT).template,
    full: synthesise(FULL_CONTEXT).template,
  };
  const write = (path: string, text: string, generated: string): void => {
    if (text === generated) return;
    process.stdout.write(`${path} ${check ? 'differs: run npm run docs.' : 'is written.'}\n`);
    if (!check) writeFileSync(path, generated);
    else process.exitCode = 1;
  };
  const writeDocuments = (paths: readonly string[]): void => {
    for (const path of paths) {
      const { text, generated } = generateDocument(path, templates);
      write(path, text, generated);
    }
  };
  const isPage = (path: string): boolean => path.endsWith('.md');
  writeDocuments(DOCUMENTS.filter((path) => !isPage(path)));
  // After the blocks of the client, from which it is made, and before the page with its methods.
  write(DECLARATIONS, readIfThere(DECLARATIONS), await generateDeclarations());
  writeDocuments(DOCUMENTS.filter(isPage));
  write(LLMS_INDEX, readIfThere(LLMS_INDEX), renderLlmsIndex());
});

await runCommandLine(program);
