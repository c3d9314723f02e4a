import { parseEndpointUrl } from '../../lib/endpoints/address/endpoint-url.ts';
import type { Parsed, RequestParts } from '../../lib/http/operation-input.ts';
import type { Dependencies } from './dependencies.ts';

/** Checks the address in a body by the rules of this stage, and normalises it. */
export const checkAddress = <Input extends { readonly body: { readonly url?: string | undefined } }>(
  parsed: Parsed<Input>,
  { apiId }: RequestParts,
  { urlOptions }: Pick<Dependencies, 'urlOptions'>,
): Parsed<Input> => {
  if (!parsed.ok || parsed.input.body.url === undefined) return parsed;
  const address = parseEndpointUrl(parsed.input.body.url, { ...urlOptions, apiId });
  if (!address.ok) return { ok: false, details: [{ path: 'url', message: address.reason }] };
  return { ...parsed, input: { ...parsed.input, body: { ...parsed.input.body, url: address.url } } };
};
