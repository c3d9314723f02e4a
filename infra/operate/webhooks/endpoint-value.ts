import type { EndpointWithState } from '../../../lib/endpoints/endpoint.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Context } from '../frame/context.ts';
import { foundType, patternOf } from '../frame/value-types.ts';

/** The error for an id that no endpoint has. */
export const unknownEndpoint = (id: string): OperatorError =>
  new OperatorError(`No webhook endpoint has the id ${id}: find it with \`webhooks list\`.`);

/**
 * Finds a webhook endpoint. Its id alone finds it: the table of endpoints is small.
 *
 * @throws OperatorError if there is none
 */
const findEndpoint = async (id: string, { repositories }: Context): Promise<EndpointWithState> => {
  const endpoint = await repositories.endpoints.findById(id);
  if (!endpoint) throw unknownEndpoint(id);
  return endpoint;
};

/** A webhook endpoint. */
export const ENDPOINT = foundType(
  patternOf(
    'id',
    'An endpoint id is we_ and 24 letters or digits: find it with `webhooks list`.',
    /^we_[0-9A-Za-z]{24}$/,
    UsageError,
  ),
  findEndpoint,
);
