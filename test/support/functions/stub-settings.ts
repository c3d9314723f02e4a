import { vi } from 'vitest';
import { tableSettings } from '../../../infra/stage/tables.ts';
import type { TableKind } from '../../../lib/database/tables.ts';
import { type Setting, variablesOf } from '../../../lib/settings/settings.ts';

/** Sets the environment variables of tables and of further settings until the end of the test. */
export const stubSettings = (
  tableNames: Readonly<Record<TableKind, string>>,
  settings: Readonly<Partial<Record<Setting, string>>> = {},
): void => {
  const variables = variablesOf({ ...tableSettings(tableNames), ...settings });
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
};
