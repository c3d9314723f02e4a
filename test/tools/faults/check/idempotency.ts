import {
  responseOf,
  type CreateRequest,
  type Exchange,
  type History,
  statusOf,
  type Violation,
} from '../history.ts';

const requestOf = ({ request }: Exchange): CreateRequest => request as CreateRequest;

const isReplay = (exchange: Exchange): boolean =>
  responseOf(exchange)?.headers['idempotent-replayed'] === 'true';

const checkGroup = (exchanges: readonly Exchange[]): Violation[] => {
  const { keyName, idempotencyKey } = requestOf(exchanges[0]!);
  const detail = `idempotency key ${idempotencyKey} of the API key ${keyName}`;
  const differ = (values: readonly unknown[]): boolean => new Set(values).size > 1;
  const payloads = (of: readonly Exchange[]): string[] => of.map((exchange) => requestOf(exchange).payload);
  const created = exchanges.filter((exchange) => statusOf(exchange) === 201);
  const carts = created.map((exchange) => responseOf(exchange)?.body['cart'] as { id: string });
  const firsts = created.filter((exchange) => !isReplay(exchange));
  const rejected = exchanges.filter(
    (exchange) => responseOf(exchange)?.body['code'] === 'IDEMPOTENCY_KEY_REUSED',
  );
  const rules: [rule: string, isBroken: boolean, shownBy: readonly Exchange[]][] = [
    ['an idempotency key names one cart', differ(carts.map(({ id }) => id)), created],
    ['a replay returns the same cart', differ(carts.map((cart) => JSON.stringify(cart))), created],
    ['an idempotency key accepts one payload', differ(payloads(created)), created],
    // There may be none: after a lost response the SDK's retry finds the cart, and the first response is a replay.
    ['at most one response of an idempotency key is no replay', firsts.length > 1, firsts],
    ['a retry is not rejected as reuse', !differ(payloads(exchanges)) && rejected.length > 0, rejected],
  ];
  return rules
    .filter(([, isBroken]) => isBroken)
    .map(([rule, , shownBy]) => ({ rule, detail, exchanges: shownBy }));
};

/** Checks the promises of idempotency keys, each within its API key. */
export const checkIdempotency = ({ exchanges }: History): Violation[] => {
  const idempotent = exchanges.filter((exchange) => requestOf(exchange).idempotencyKey !== undefined);
  const groups = Map.groupBy(idempotent, (exchange) =>
    JSON.stringify([requestOf(exchange).keyName, requestOf(exchange).idempotencyKey]),
  );
  const plainReplays = exchanges.filter(
    (exchange) => isReplay(exchange) && requestOf(exchange).idempotencyKey === undefined,
  );
  return [
    ...[...groups.values()].flatMap(checkGroup),
    ...plainReplays.map((exchange) => ({
      rule: 'only a request with an idempotency key gets a replay',
      detail: 'Idempotent-Replayed without Idempotency-Key',
      exchanges: [exchange],
    })),
  ];
};
