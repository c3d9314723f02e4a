import { randomUUID } from 'node:crypto';
import { BUYER } from '../../../support/secrets.ts';
import type { Exchange, SentRequest } from './history.ts';
import { type LoadKey, UNKNOWN_KEY } from './keys.ts';
import type { Random } from './random.ts';

/** The number of carts and of idempotent requests that are kept for later requests. */
const REMEMBERED_MAX = 500;

/** Shares of the requests. The rest create a cart without an idempotency key. */
const SHARES = { retrieve: 0.3, retry: 0.2, newIdempotencyKey: 0.2 } as const;

/** The share of unusual requests within each of these. */
const RARE = 0.03;

const remember = <Value>(values: Value[], value: Value): void => {
  values.push(value);
  if (values.length > REMEMBERED_MAX) values.shift();
};

/** Chooses each next request from the earlier ones. A seed repeats the choice as long as the responses are the same. */
export class RequestSource {
  readonly #random: Random;
  readonly #keys: readonly LoadKey[];
  readonly #cartIds = new Map<string, string[]>();
  readonly #sent: SentRequest[] = [];
  readonly #failed: SentRequest[] = [];
  #markers = 0;

  constructor(random: Random, keys: readonly LoadKey[]) {
    this.#random = random;
    this.#keys = keys;
    for (const { storeId } of keys) this.#cartIds.set(storeId, []);
  }

  next(): SentRequest {
    const key = this.#random.byShare(this.#keys);
    const draw = this.#random.next();
    if (draw < SHARES.retrieve) return this.#retrieve(key);
    if (draw < SHARES.retrieve + SHARES.retry) return this.#retry() ?? this.#create(key);
    const isIdempotent = draw < SHARES.retrieve + SHARES.retry + SHARES.newIdempotencyKey;
    const request = this.#create(key, isIdempotent ? randomUUID() : undefined);
    // Remembered before its response, so that a retry can overtake it.
    if (isIdempotent && request.expects === 'created') remember(this.#sent, request);
    return request;
  }

  note({ request, response }: Exchange): void {
    if (request.operation !== 'createCartCheckout' || request.expects !== 'created') return;
    if (response?.status === 201) {
      const { id } = response.body['cart'] as { id: string };
      remember(this.#cartIds.get(this.#keyOf(request.keyName).storeId)!, id);
    } else if (request.idempotencyKey !== undefined && (!response || response.status === 503)) {
      remember(this.#failed, request);
    }
  }

  #keyOf(keyName: string): LoadKey {
    return this.#keys.find(({ name }) => name === keyName)!;
  }

  #retrieve(key: LoadKey): SentRequest {
    const operation = 'getCart';
    const cartId = this.#random.any(this.#cartIds.get(key.storeId)!);
    if (cartId === undefined || this.#random.chance(RARE)) {
      return { operation, keyName: key.name, expects: 'cartNotFound', cartId: randomUUID() };
    }
    if (this.#random.chance(RARE)) {
      return { operation, keyName: UNKNOWN_KEY.name, expects: 'invalidApiKey', cartId };
    }
    const foreign = this.#keys.find(({ storeId }) => storeId !== key.storeId);
    if (foreign && this.#random.chance(RARE)) {
      return { operation, keyName: foreign.name, expects: 'cartNotFound', cartId };
    }
    return { operation, keyName: key.name, expects: 'retrieved', cartId };
  }

  /**
   * Repeats an earlier request, failed ones first. Rarely, another API key of its store sends it, as after a rotation, or
   * its idempotency key comes with another cart.
   */
  #retry(): SentRequest | undefined {
    const earlier = this.#failed.shift() ?? this.#random.any(this.#sent);
    if (!earlier) return undefined;
    if (this.#random.chance(RARE)) {
      const { storeId } = this.#keyOf(earlier.keyName);
      const ofStore = this.#keys.filter((key) => key.storeId === storeId);
      return { ...earlier, keyName: this.#random.any(ofStore)!.name };
    }
    if (!this.#random.chance(RARE)) return earlier;
    return { ...this.#valid(this.#keyOf(earlier.keyName)), idempotencyKey: earlier.idempotencyKey! };
  }

  #create(key: LoadKey, idempotencyKey?: string): SentRequest {
    const request = this.#random.chance(RARE) ? this.#invalid(key) : this.#valid(key);
    return idempotencyKey === undefined ? request : { ...request, idempotencyKey };
  }

  #valid({ name, productId }: LoadKey): SentRequest {
    return this.#request(name, 'created', { productDocumentId: productId });
  }

  #invalid({ name, productId }: LoadKey): SentRequest {
    return this.#random.chance(0.5)
      ? this.#request(name, 'invalidProduct', { productDocumentId: 'unknown-product' })
      : this.#request(name, 'invalidPayload', { productDocumentId: productId, firstName: '' });
  }

  #request(keyName: string, expects: SentRequest['expects'], fields: object): SentRequest {
    this.#markers += 1;
    const marker = `request-${this.#markers}`;
    const email = `${marker}.${BUYER.email}`;
    const payload = JSON.stringify({ ...BUYER, email, meta: { marker }, ...fields });
    return { operation: 'createCartCheckout', keyName, expects, payload, marker };
  }
}
