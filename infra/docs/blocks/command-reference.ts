import { capitalised } from '../../../lib/core/letter-case.ts';
import { COMMANDS } from '../../operate/commands.ts';
import type { Command } from '../../operate/frame/command.ts';
import type { Parameter } from '../../operate/frame/parameter.ts';
import { argumentTerm, notesOf, optionTerm } from '../../operate/program.ts';
import { EXIT_CODES } from '../../terminal/command-line.ts';
import { code, table } from './markdown.ts';

const describe = (term: string, parameter: Parameter<unknown>): string => {
  const { text, type, isRequired, default: typed } = parameter;
  return [
    `- ${code(term)}: ${text}.`,
    ...(type?.choices ? [`One of ${type.choices.map(code).join(', ')}.`] : []),
    ...(typed === undefined ? [] : [`Default: ${code(typed)}.`]),
    ...(isRequired ? ['Required.'] : []),
  ].join(' ');
};

/** Indented lines of a note are code. */
const withCode = (note: string): string =>
  note.replaceAll(
    /(?:^ {2}.+\n?)+/gm,
    (lines) => `\`\`\`text\n${lines.replaceAll(/^ {2}/gm, '').trimEnd()}\n\`\`\`\n`,
  );

const sectionOf = (words: string, { spec }: Command): string => {
  const { summary, arguments: args = {}, options = {}, example, json, asks, audits } = spec;
  const usage = [words, ...Object.values(args).map(argumentTerm)].join(' ');
  const facts = [
    ...Object.values(args).map((parameter) => describe(argumentTerm(parameter), parameter)),
    ...Object.entries(options).map(([name, parameter]) => describe(optionTerm(name, parameter), parameter)),
    ...(asks ? [`- ${code('--yes')}: change live mode without asking.`] : []),
    `- JSON: ${code(json)}.`,
    ...(audits === undefined ? [] : [`- Audit record: ${code(audits)}.`]),
  ];
  return [
    `### ${code(usage)}`,
    `${capitalised(summary)}.`,
    `\`\`\`sh\nnpm run operate -- ${example}\n\`\`\``,
    facts.join('\n'),
    ...notesOf(spec).map(withCode),
  ].join('\n\n');
};

/** The reference of all commands, in Markdown: a section for each, with its options, its JSON and its audit record. */
export const renderReference = (): string =>
  Object.entries(COMMANDS)
    .map(([words, command]) => sectionOf(words, command))
    .join('\n\n');

/** The exit codes of all commands. */
export const exitCodeTable = (): string => table([['Code', 'Meaning'], ...Object.entries(EXIT_CODES)]);
