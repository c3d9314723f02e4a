import {
  responseOf,
  type CreateRequest,
  type Exchange,
  groupBy,
  type History,
  statusOf,
  type Violation,
} from '../history.ts';

const requestOf = ({ request }: Exchange): CreateRequest => request as CreateRequest;

const distinct = (values: readonly unknown[]): number => new Set(values).size;

const isReplay = (exchange: Exchange): boolean =>
  responseOf(exchange)?.headers['idempotent-replayed'] === 'true';

/** Checks all requests of one API key with one idempotency key. */
const checkGroup = (exchanges: readonly Exchange[]): Violation[] => {
  const { keyName, idempotencyKey } = requestOf(exchanges[0]!);
  const detail = `idempotency key ${idempotencyKey} of the API key ${keyName}`;
  const created = exchanges.filter((exchange) => statusOf(exchange) === 201);
  const carts = created.map((exchange) => responseOf(exchange)?.body['cart'] as { id: string });
  const firsts = created.filter((exchange) => !isReplay(exchange));
  const refused = exchanges.filter(
    (exchange) => responseOf(exchange)?.body['code'] === 'IDEMPOTENCY_KEY_REUSED',
  );
  const payloads = distinct(exchanges.map((exchange) => requestOf(exchange).payload));
  return [
    ...(distinct(carts.map(({ id }) => id)) > 1
      ? [{ rule: 'no idempotency key names two carts', detail, exchanges: created }]
      : []),
    ...(distinct(carts.map((cart) => JSON.stringify(cart))) > 1
      ? [{ rule: 'a replay answers the same cart', detail, exchanges: created }]
      : []),
    ...(distinct(created.map((exchange) => requestOf(exchange).payload)) > 1
      ? [{ rule: 'no idempotency key takes two payloads', detail, exchanges: created }]
      : []),
    // A lost answer leaves none: the SDK's own retry finds the cart, and the client's first answer is a replay.
    ...(firsts.length > 1
      ? [{ rule: 'at most one answer of an idempotency key is no replay', detail, exchanges: firsts }]
      : []),
    ...(payloads === 1 && refused.length > 0
      ? [{ rule: 'a retry is not refused as another request', detail, exchanges: refused }]
      : []),
  ];
};

/** Checks what idempotency keys promise, each within its API key. */
export const checkIdempotency = ({ exchanges }: History): Violation[] => {
  const idempotent = exchanges.filter(
    ({ request }) => request.operation === 'create' && request.idempotencyKey !== undefined,
  );
  const groups = groupBy(idempotent, (exchange) =>
    JSON.stringify([requestOf(exchange).keyName, requestOf(exchange).idempotencyKey]),
  );
  const plainReplays = exchanges.filter(
    (exchange) => isReplay(exchange) && requestOf(exchange).idempotencyKey === undefined,
  );
  return [
    ...[...groups.values()].flatMap(checkGroup),
    ...plainReplays.map((exchange) => ({
      rule: 'only a request with an idempotency key is answered by a replay',
      detail: 'Idempotent-Replayed without Idempotency-Key',
      exchanges: [exchange],
    })),
  ];
};
