import type { Streams } from '../../command-line.ts';
import { printable } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import { print } from '../output.ts';

/** A new secret of an endpoint, with the additions of a command. */
interface NewSecret {
  readonly endpointId: string;
  readonly secret: string;
  /** Further fields of the JSON. */
  readonly fields: object;
  readonly lines: readonly string[];
  /** The operator's next step if the secret cannot be shown. */
  readonly remedy: string;
}

/**
 * Prints a new signing secret. No command prints it again.
 *
 * @throws OperatorError with the endpoint's id if standard output does not accept it
 */
export const printNewSecret = async (
  streams: Streams,
  json: true | undefined,
  { endpointId, secret, fields, lines, remedy }: NewSecret,
): Promise<void> => {
  try {
    await print(streams, json, { ...fields, secret }, [
      ...lines.map(printable),
      `Secret    ${secret}`,
      `Endpoint  ${endpointId}`,
      'Give the secret to the merchant now: no command shows it again. The id is not secret.',
    ]);
  } catch {
    throw new OperatorError(`The secret of ${endpointId} could not be shown: ${remedy}.`);
  }
};
