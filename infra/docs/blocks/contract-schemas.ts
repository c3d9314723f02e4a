import { contractDocument } from '../../contract/document.ts';

/** A property of a schema, as `docs/openapi.json` has it. */
export interface Property {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  /** Its values of today. Later versions can add some. */
  readonly 'x-extensible-enum'?: readonly string[];
  readonly multipleOf?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Property;
  readonly additionalProperties?: Property;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly description?: string;
}

export interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly 'x-extensible-enum'?: readonly string[];
  readonly anyOf?: readonly Property[];
  readonly required?: readonly string[];
  readonly description?: string;
  readonly properties: Readonly<Record<string, Property>>;
}

/** The schemas of the contract, by name. */
export const contractSchemas = (): Readonly<Record<string, Schema>> =>
  (contractDocument()['components'] as { schemas: Record<string, Schema> }).schemas;

/** @throws Error if the contract has no schema of the name */
export const contractSchema = (name: string): Schema => {
  const schema = contractSchemas()[name];
  if (!schema) throw new Error(`The contract has no schema ${name}`);
  return schema;
};

/** The name of the schema to which a reference points. */
export const nameOf = ($ref = ''): string => $ref.replace(/^.*\//, '');
