import type { OperationContract } from '../../functions/operation-contract.ts';
import { type Operation, OPERATIONS } from '../../functions/operations.ts';

/** An operation of the public contract, with its route. */
export interface PublicOperation extends Operation, OperationContract {
  readonly operationId: string;
}

/**
 * Loads the contract of one operation from the folder of its function.
 *
 * @throws Error that names the file or the export that is missing
 */
export const loadContract = async (operationId: string, functionName: string): Promise<OperationContract> => {
  const path = `functions/${functionName}/contract.ts`;
  // In this form, esbuild includes each contract in the package.
  const contracts = await (
    import(`../../functions/${functionName}/contract.ts`) as Promise<
      Readonly<Record<string, OperationContract>>
    >
  ).catch((cause: unknown) => {
    throw new Error(`The operation ${operationId} has no contract: add ${path}`, { cause });
  });
  const contract = contracts[operationId];
  if (!contract)
    throw new Error(`The operation ${operationId} has no contract: export ${operationId} from ${path}`);
  return contract;
};

/** Every operation that merchants call, in the order of `functions/operations.ts`. */
export const PUBLIC_OPERATIONS: readonly PublicOperation[] = await Promise.all(
  Object.entries<Operation>(OPERATIONS)
    .filter(([, { caller }]) => caller === 'merchant')
    .map(async ([operationId, operation]) => ({
      operationId,
      ...operation,
      ...(await loadContract(operationId, operation.functionName)),
    })),
);
