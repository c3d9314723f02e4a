import type { Amounts } from './operation-use.ts';
import { FUNCTION_MEMORY_MB, OPERATION_COSTS, PRICES, TRACED_SHARE } from './model.ts';

type Operation = keyof typeof OPERATION_COSTS;

/** A row of a table in `docs/cost.md`. */
export interface CostRow {
  readonly part: string;
  /** The amount of one request, payment or delivery. Absent if it is the same for all operations. */
  readonly amount?: string;
  /** The cost of a million. */
  readonly dollars: number;
}

/** Rounds the costs to cents. */
export const inCents = (rows: readonly CostRow[]): CostRow[] =>
  rows.map((row) => ({ ...row, dollars: Math.round(100 * row.dollars) / 100 }));

/** The most dollars of a million requests. */
export const DOLLARS_MAX: Readonly<Record<Operation, number>> = { createCartCheckout: 6.2, getCart: 4.95 };

const MILLION = 1_000_000;

/** Computes the dollars of a million requests with these amounts, by service, at list prices. */
export const partsOf = ({ durationMs, writes, reads, logBytes }: Amounts): CostRow[] => {
  const billedMs = Math.ceil(durationMs);
  const gigabyteSeconds = (billedMs / 1_000) * (FUNCTION_MEMORY_MB / 1_024);
  const rows: CostRow[] = [
    { part: 'API Gateway, REST', dollars: PRICES.apiGateway[0].price },
    { part: 'Lambda, requests', dollars: PRICES.lambdaMillionRequests },
    {
      part: 'Lambda, 1 GB arm64',
      amount: `${billedMs} ms`,
      dollars: MILLION * gigabyteSeconds * PRICES.lambdaGigabyteSecond,
    },
    {
      part: 'DynamoDB, write units',
      amount: String(writes),
      dollars: writes * PRICES.dynamodbMillionWrites,
    },
    { part: 'DynamoDB, read units', amount: String(reads), dollars: reads * PRICES.dynamodbMillionReads },
    {
      part: 'CloudWatch, function logs, access logs',
      amount: `${logBytes} bytes`,
      dollars: ((MILLION * logBytes) / 1e9) * PRICES.logsGigabyte,
    },
    { part: 'X-Ray, one trace in a hundred', dollars: TRACED_SHARE * PRICES.xrayMillionTraces },
  ];
  return inCents(rows);
};

/** The units of DynamoDB that a request takes. */
export const unitsOf = (operation: Operation): Pick<Amounts, 'writes' | 'reads'> => {
  const { keyWrites, cartWrites, indexWrites, productReads, cartReads } = OPERATION_COSTS[operation];
  return { writes: keyWrites + cartWrites + indexWrites, reads: productReads + cartReads };
};

/**
 * Computes the dollars of a million requests of an operation, by service.
 *
 * @param measured the bytes of a request's log lines or its milliseconds, if they are not those of the model
 */
export const costsOf = (
  operation: Operation,
  measured: { readonly logBytes?: number; readonly durationMs?: number } = {},
): CostRow[] => {
  const { durationMs, logBytes } = OPERATION_COSTS[operation];
  return partsOf({ durationMs, logBytes, ...unitsOf(operation), ...measured });
};

/** The sum of the rows, as the table shows them. */
export const totalOf = (rows: readonly CostRow[]): number =>
  Math.round(rows.reduce((cents, { dollars }) => cents + 100 * dollars, 0)) / 100;
