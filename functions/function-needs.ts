import type { TableKind } from '../lib/database/tables.ts';
import type { Setting } from '../lib/settings/settings.ts';
import { type Access, ACCESS_TABLES } from './access.ts';
import { EVENT_FUNCTIONS, type EventFunctionName } from './event-functions.ts';
import {
  type HttpFunctionName,
  type Operation,
  type OperationOf,
  type OPERATIONS,
  ALL_OPERATIONS,
} from './operations.ts';

/** The rights and the settings of a function. The rights decide which names of tables it gets. */
interface FunctionNeeds {
  readonly access: readonly Access[];
  readonly settings: readonly Setting[];
}

export type FunctionName = HttpFunctionName | EventFunctionName;

/** The settings of every function: for its log lines. */
const COMMON_SETTINGS = ['stageName'] as const;

/** The settings of every pipeline: for the log line of a request, and for the response to a rejected one. */
const PIPELINE_SETTINGS = ['sourceHashKey', 'errorsUrl'] as const;

/** The names of a function's settings. Example for `canary`: `'stageName' | 'publicUrl' | 'secretsTable'`. */
type SettingOf<Name extends FunctionName> =
  | (typeof COMMON_SETTINGS)[number]
  | (Name extends EventFunctionName
      ? SettingOfRow<(typeof EVENT_FUNCTIONS)[Name]>
      : Name extends HttpFunctionName
        ? (typeof PIPELINE_SETTINGS)[number] | SettingOfRow<(typeof OPERATIONS)[OperationOf<Name>]>
        : never);

/** The settings of an operation or event function. Example: `'publicUrl'`, and `'secretsTable'` for the access `readCanaryKey`. */
type SettingOfRow<Row extends Pick<Operation, 'access' | 'settings'>> =
  | Row['settings'][number]
  | `${(typeof ACCESS_TABLES)[Row['access'][number]][number]}Table`;

const union = <Item>(lists: readonly (readonly Item[])[]): Item[] => [...new Set(lists.flat())];

const httpNeeds = (operations: readonly Operation[]): FunctionNeeds => ({
  access: union(operations.map(({ access }) => access)),
  settings: union([COMMON_SETTINGS, PIPELINE_SETTINGS, ...operations.map(({ settings }) => settings)]),
});

const allNeeds = () => {
  const http = [...Map.groupBy(ALL_OPERATIONS, ({ functionName }) => functionName)].map(
    ([name, operations]) => [name, httpNeeds(operations)] as const,
  );
  const events = Object.entries(EVENT_FUNCTIONS).map(
    ([name, { access, settings }]) =>
      [name, { access, settings: [...COMMON_SETTINGS, ...settings] }] as const,
  );
  return Object.fromEntries([...http, ...events]) as Readonly<Record<FunctionName, FunctionNeeds>>;
};

/** Every function with its needs: those of its operations together. */
export const FUNCTIONS = /* @__PURE__ */ allNeeds();

/** The settings that a function reads at its start: its own, and the tables of its access. */
export const settingNamesOf = <Name extends FunctionName>(name: Name): readonly SettingOf<Name>[] => {
  const { access, settings } = FUNCTIONS[name];
  const tables = union(access.map((each): readonly TableKind[] => ACCESS_TABLES[each]));
  return [...settings, ...tables.map((kind) => `${kind}Table` as const)] as SettingOf<Name>[];
};

/** Whether a client waits for the function's response. */
export const isHttpFunction = (name: FunctionName): name is HttpFunctionName => !(name in EVENT_FUNCTIONS);

const httpFunctionNames = () => (Object.keys(FUNCTIONS) as FunctionName[]).filter(isHttpFunction);

/** The names of the functions behind {@link OPERATIONS}. */
export const HTTP_FUNCTION_NAMES: readonly HttpFunctionName[] = /* @__PURE__ */ httpFunctionNames();
