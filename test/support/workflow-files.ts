import { globSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';

export interface Step {
  readonly shell?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly 'working-directory'?: string;
}

export interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly if?: string;
  readonly needs?: string | readonly string[];
  /** A job has either steps or another workflow. */
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly concurrency?: unknown;
  readonly steps?: readonly Step[];
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
}

interface Workflow {
  readonly concurrency?: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface NamedJob extends Job {
  /** The path of its workflow and its id. */
  readonly name: string;
}

export const WORKFLOW_PATHS = globSync('.github/workflows/*.yml').toSorted();

export const readWorkflow = (path: string): Workflow => load(readFileSync(path, 'utf8')) as Workflow;

export const jobsOf = (path: string): readonly NamedJob[] =>
  Object.entries(readWorkflow(path).jobs).map(([name, job]) => ({ ...job, name: `${path}: ${name}` }));

export const ALL_JOBS = WORKFLOW_PATHS.flatMap(jobsOf);

export const commandsOf = ({ steps = [] }: Job): readonly string[] => steps.flatMap(({ run = [] }) => run);

export const stepsOf = ({ steps = [] }: Job, action: string): readonly Step[] =>
  steps.filter(({ uses = '' }) => uses.startsWith(`${action}@`));
