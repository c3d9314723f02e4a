import { NormalizedSchema } from '@smithy/core/schema';
import type { AnyCommand } from '../observe.ts';

/** The parts of a command that its class does not declare. A document command wraps the one with the schema. */
interface SchemaCommand {
  readonly schema: readonly unknown[];
  readonly clientCommand?: SchemaCommand;
}

const orderBy = (schema: NormalizedSchema, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.isListSchema() && Array.isArray(value)) {
    return value.map((entry) => orderBy(schema.getValueSchema(), entry));
  }
  const fields = value as Readonly<Record<string, unknown>>;
  if (schema.isMapSchema()) {
    const entries = Object.entries(fields);
    return Object.fromEntries(entries.map(([key, entry]) => [key, orderBy(schema.getValueSchema(), entry)]));
  }
  // An attribute value is a union.
  if (!schema.isStructSchema() || schema.isUnionSchema()) return value;
  const members = [...schema.structIterator()].filter(([name]) => name in fields);
  return Object.fromEntries(members.map(([name, member]) => [name, orderBy(member, fields[name])]));
};

/**
 * Puts the fields of a command's input into the order in which the SDK sends them. The lean client sends them as given, and
 * an emulator reports the first of two invalid fields.
 */
export const inSchemaOrder = (command: AnyCommand): AnyCommand => {
  const { schema, clientCommand } = command as unknown as SchemaCommand;
  const [, , , , inputSchema] = clientCommand?.schema ?? schema;
  const { constructor } = command as { readonly constructor: unknown };
  const input = orderBy(NormalizedSchema.of(inputSchema as never), command.input);
  return new (constructor as new (input: unknown) => AnyCommand)(input);
};
