import { randomUUID } from 'node:crypto';
import { BUYER } from '../../../support/secrets.ts';
import {
  responseOf,
  type CreateRequest,
  type Exchange,
  type RetrieveRequest,
  type SentRequest,
} from '../history.ts';
import { type LoadKey, UNKNOWN_KEY } from './keys.ts';
import type { Random } from './random.ts';

/** Chooses what to ask next, from what was asked and answered before. */
export interface RequestSource {
  next(): SentRequest;
  /** Learns what became of a request. */
  note(exchange: Exchange): void;
}

/** How many carts and idempotent requests are kept to be asked for again. */
const REMEMBERED_MAX = 500;

/** Shares of the requests; what is left creates a cart without idempotency key. */
const SHARES = { retrieve: 0.3, newIdempotencyKey: 0.2, retry: 0.2 } as const;

/** Within these. */
const RARE = 0.03;

const remember = <Value>(values: Value[], value: Value): void => {
  values.push(value);
  if (values.length > REMEMBERED_MAX) values.shift();
};

class SeededSource implements RequestSource {
  readonly #random: Random;
  readonly #keys: readonly LoadKey[];
  readonly #cartIds = new Map<string, string[]>();
  readonly #sent: CreateRequest[] = [];
  readonly #unanswered: CreateRequest[] = [];
  #markers = 0;

  constructor(random: Random, keys: readonly LoadKey[]) {
    this.#random = random;
    this.#keys = keys;
    for (const { storeId } of keys) this.#cartIds.set(storeId, []);
  }

  next(): SentRequest {
    const key = this.#anyKey();
    const draw = this.#random.next();
    if (draw < SHARES.retrieve) return this.#retrieve(key);
    if (draw < SHARES.retrieve + SHARES.retry) return this.#retry() ?? this.#create(key);
    const isIdempotent = draw < SHARES.retrieve + SHARES.retry + SHARES.newIdempotencyKey;
    const request = this.#create(key, isIdempotent ? randomUUID() : undefined);
    // Before it is answered, so that a retry may overtake it.
    if (isIdempotent && request.expects === 'created') remember(this.#sent, request);
    return request;
  }

  note(exchange: Exchange): void {
    const { request } = exchange;
    const answer = responseOf(exchange);
    if (request.operation !== 'create' || request.expects !== 'created') return;
    if (answer?.status === 201) {
      const { id } = answer.body['cart'] as { id: string };
      remember(this.#cartIds.get(this.#storeOf(request.keyName)) ?? [], id);
    } else if (request.idempotencyKey !== undefined && (!answer || answer.status === 503)) {
      remember(this.#unanswered, request);
    }
  }

  #storeOf(keyName: string): string {
    return this.#keys.find(({ name }) => name === keyName)?.storeId ?? '';
  }

  #anyKey(): LoadKey {
    let left = this.#random.next();
    return this.#keys.find(({ share }) => (left -= share) < 0) ?? this.#keys[0]!;
  }

  #retrieve(key: LoadKey): RetrieveRequest {
    const operation = 'retrieve';
    const carts = this.#cartIds.get(key.storeId)!;
    const cartId = carts[Math.floor(this.#random.next() * carts.length)];
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

  /** An earlier request again, one that was not answered before all others; rarely its idempotency key for another cart. */
  #retry(): CreateRequest | undefined {
    const earlier =
      this.#unanswered.shift() ?? this.#sent[Math.floor(this.#random.next() * this.#sent.length)];
    if (!earlier || !this.#random.chance(RARE)) return earlier;
    const key = this.#keys.find(({ name }) => name === earlier.keyName)!;
    return { ...this.#sound(key), idempotencyKey: earlier.idempotencyKey! };
  }

  #create(key: LoadKey, idempotencyKey?: string): CreateRequest {
    const request = this.#random.chance(RARE) ? this.#flawed(key) : this.#sound(key);
    return idempotencyKey === undefined ? request : { ...request, idempotencyKey };
  }

  #sound({ name, productId }: LoadKey): CreateRequest {
    return this.#request(name, 'created', { productDocumentId: productId });
  }

  #flawed({ name, productId }: LoadKey): CreateRequest {
    return this.#random.chance(0.5)
      ? this.#request(name, 'invalidProduct', { productDocumentId: 'there-is-none' })
      : this.#request(name, 'invalidPayload', { productDocumentId: productId, firstName: '' });
  }

  #request(keyName: string, expects: CreateRequest['expects'], fields: object): CreateRequest {
    this.#markers += 1;
    const marker = `request-${this.#markers}`;
    const payload = JSON.stringify({
      ...BUYER,
      email: `${marker}.${BUYER.email}`,
      meta: { marker },
      ...fields,
    });
    return { operation: 'create', keyName, expects, payload, marker };
  }
}

/** Requests that a seed repeats, as far as the answers are the same. */
export const createRequestSource = (random: Random, keys: readonly LoadKey[]): RequestSource =>
  new SeededSource(random, keys);
