import { PUBLIC_OPERATIONS, type PublicOperation } from '../../contract/contracts.ts';
import { contractDocument } from '../../contract/document.ts';
import { contractSchema, nameOf, type Property } from './contract-schemas.ts';
import { code, withoutStop } from './markdown.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: Property;
}

/** A listing, as `docs/openapi.json` has it. */
interface Listing {
  readonly parameters?: readonly Parameter[];
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': { readonly schema: Property } } };
  };
}

const boundOf = ({ minimum, maximum }: Property): string =>
  maximum === undefined ? '' : `, ${minimum ?? 0} to ${maximum}`;

const itemsOf = ({ items }: Property): string => `array of ${code(nameOf(items?.$ref))}`;

const sectionOf = ({ operationId, path, description }: PublicOperation): string => {
  const paths = contractDocument()['paths'] as Readonly<Record<string, { readonly get: Listing }>>;
  const listing = paths[path]?.get;
  if (!listing) throw new Error(`${operationId} is no GET`);
  const { parameters = [], responses } = listing;
  const { properties } = contractSchema(nameOf(responses[200].content['application/json'].schema.$ref));
  const points = [
    ...parameters
      .filter((parameter) => parameter.in !== 'path')
      .map(
        (parameter) =>
          `${code(parameter.name)} (${parameter.in}${boundOf(parameter.schema)}): ${parameter.description}`,
      ),
    ...Object.entries(properties).map(
      ([name, property]) => `${code(name)}: ${property.description ?? itemsOf(property)}`,
    ),
  ];
  return `**\`${operationId}\`**. ${description}\n\n${points.map((point) => `- ${withoutStop(point)}`).join('\n')}`;
};

/** The operations that list items: the parameters of each, then the members of its response. */
export const listings = (): string =>
  PUBLIC_OPERATIONS.filter(({ operationId }) => operationId.startsWith('list'))
    .map(sectionOf)
    .join('\n\n');
