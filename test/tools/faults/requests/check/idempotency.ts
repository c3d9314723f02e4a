import { type BrokenRule, findBroken } from '../../broken-rule.ts';
import { type Exchange, type History } from '../history.ts';

const isReplay = ({ response }: Exchange): boolean => response?.headers['idempotent-replayed'] === 'true';

const checkGroup = (scope: string, exchanges: readonly Exchange[]): BrokenRule[] => {
  const { idempotencyKey } = exchanges[0]!.request;
  const differ = (values: readonly unknown[]): boolean => new Set(values).size > 1;
  const payloads = (of: readonly Exchange[]) => of.map(({ request }) => request.payload);
  const created = exchanges.filter(({ status }) => status === 201);
  const carts = created.map(({ response }) => response?.body['cart'] as { id: string });
  const firsts = created.filter((exchange) => !isReplay(exchange));
  const rejected = exchanges.filter(({ response }) => response?.body['code'] === 'IDEMPOTENCY_KEY_REUSED');
  return findBroken(`idempotency key ${idempotencyKey} of ${scope}`, [
    ['an idempotency key names one cart', differ(carts.map(({ id }) => id)), created],
    ['a replay returns the same cart', differ(carts.map((cart) => JSON.stringify(cart))), created],
    ['an idempotency key accepts one payload', differ(payloads(created)), created],
    // There may be none: after a lost response the SDK's retry finds the cart, and the first response is a replay.
    ['at most one response of an idempotency key is no replay', firsts.length > 1, firsts],
    ['a retry is not rejected as reuse', !differ(payloads(exchanges)) && rejected.length > 0, rejected],
  ]);
};

/** Checks the promises of idempotency keys, each within a store and mode. */
export const checkIdempotency = ({ exchanges, keys }: History): BrokenRule[] => {
  const scopeOf = (keyName: string): string => {
    const key = keys.get(keyName);
    // A key that was never issued creates nothing.
    return key ? `${key.storeId} in ${key.mode} mode` : keyName;
  };
  const groups = Map.groupBy(exchanges, ({ request: { keyName, idempotencyKey } }) =>
    idempotencyKey === undefined ? undefined : JSON.stringify([scopeOf(keyName), idempotencyKey]),
  );
  const rule = 'only a request with an idempotency key gets a replay';
  return [...groups].flatMap(([key, own]) =>
    key === undefined
      ? own.flatMap((exchange) =>
          findBroken('Idempotent-Replayed without Idempotency-Key', [[rule, isReplay(exchange), [exchange]]]),
        )
      : checkGroup(scopeOf(own[0]!.request.keyName), own),
  );
};
