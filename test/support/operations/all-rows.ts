import type { FunctionName } from '../../../functions/function-needs.ts';
import type { HttpFunctionName } from '../../../functions/operations.ts';
import type { LoadOperation } from '../../../infra/cost/aws-use.ts';
import { CART_FUNCTIONS, CART_OPERATIONS } from './cart-rows.ts';
import { EVENT_FUNCTION_ROWS } from './event-function-rows.ts';
import { EVENT_LIST_FUNCTIONS, EVENT_OPERATIONS } from './event-list-rows.ts';
import { PRODUCT_FUNCTIONS, PRODUCT_OPERATIONS } from './product-rows.ts';
import type {
  DatabaseCall,
  DeniedCall,
  EndpointOperation,
  FunctionRow,
  HttpFunctionRow,
  IsolatedRow,
  MeasuredRow,
  MerchantOperationName,
  MerchantRow,
} from './row-types.ts';
import { SANDBOX_FUNCTIONS } from './sandbox-rows.ts';
import { ENDPOINT_FUNCTIONS, ENDPOINT_OPERATIONS } from './webhook-endpoint-rows.ts';

/** The operations of which `isolation.test.ts` isolates the merchants. */
export type IsolatedOperation = Exclude<MerchantOperationName, EndpointOperation>;

/** The operations of which `consumed-capacity.test.ts` measures the units of the largest request. */
type MeasuredOperation = Exclude<IsolatedOperation, LoadOperation>;

type Rows = Readonly<
  Record<MerchantOperationName, MerchantRow> &
    Record<IsolatedOperation, IsolatedRow> &
    Record<MeasuredOperation, MeasuredRow>
>;

/** The row of each operation. The compiler reports a missing row, and a missing part of one. */
export const OPERATION_ROWS: Rows = {
  ...CART_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...PRODUCT_OPERATIONS,
  ...ENDPOINT_OPERATIONS,
};

/** The row of each function. The compiler reports a missing row, and a missing part of one. */
export const FUNCTION_ROWS: Readonly<
  Record<HttpFunctionName, HttpFunctionRow> & Record<FunctionName, FunctionRow>
> = {
  ...CART_FUNCTIONS,
  ...EVENT_LIST_FUNCTIONS,
  ...PRODUCT_FUNCTIONS,
  ...ENDPOINT_FUNCTIONS,
  ...SANDBOX_FUNCTIONS,
  ...EVENT_FUNCTION_ROWS,
};

/** The names of the operations whose rows have a part. The types above say of which operations they demand it. */
const namesWith = (part: keyof MerchantRow | keyof IsolatedRow | keyof MeasuredRow): readonly string[] =>
  Object.entries(OPERATION_ROWS).flatMap(([name, row]) => (part in row ? name : []));

export const MERCHANT_OPERATIONS = namesWith('request') as readonly MerchantOperationName[];

/** The operations of merchants that read an item besides the key. */
export const READERS = MERCHANT_OPERATIONS.filter((name) => OPERATION_ROWS[name].calls.includes('read'));

export const ISOLATED_OPERATIONS = namesWith('isolation') as readonly IsolatedOperation[];

export const MEASURED_OPERATIONS = namesWith('prepare') as readonly MeasuredOperation[];

/** The operations that read while the key's call runs. */
export const EARLY_READERS = READERS.filter((name) => OPERATION_ROWS[name].readsWithKey);

/** Every database call of every merchant operation. */
export const DATABASE_CALLS: readonly (readonly [MerchantOperationName, DatabaseCall])[] =
  MERCHANT_OPERATIONS.flatMap((name) =>
    [...new Set(OPERATION_ROWS[name].calls)].map((call) => [name, call] as const),
  );

/** Every call that a role must not permit. */
export const DENIED_CALLS: readonly (readonly [FunctionName, ...DeniedCall])[] = (
  Object.keys(FUNCTION_ROWS) as FunctionName[]
).flatMap((name) => FUNCTION_ROWS[name].denied.map((denied) => [name, ...denied] as const));
