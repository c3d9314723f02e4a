import { randomUUID } from 'node:crypto';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { createApiKeyRepository } from '../../../../lib/operators/api-key-repository.ts';
import { DEFAULT_LIMITS } from '../../../../lib/api-keys/limits.ts';
import type { Documents } from '../../../../lib/database/documents.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import { createStoreRepository } from '../../../../lib/stores/store-repository.ts';

/** A store with a key of one mode. */
export interface KeyedStore {
  readonly storeId: string;
  readonly mode: Mode;
  readonly apiKey: string;
}

/** Stores a new store, and a key with the default limits. */
export const createStore = async (documents: Documents, mode: Mode): Promise<KeyedStore> => {
  const storeId = `store-${randomUUID()}`;
  const nowMs = Date.now();
  await createStoreRepository(documents, LOCAL_TABLE_NAMES.stores).put({
    id: storeId,
    name: storeId,
    createdAtMs: nowMs,
  });
  const apiKey = generateApiKey(mode);
  const keys = createApiKeyRepository(documents, LOCAL_TABLE_NAMES.apiKeys);
  await keys.issue({ secret: apiKey, storeId, mode, ...DEFAULT_LIMITS, nowMs });
  return { storeId, mode, apiKey };
};

/** The path of the operations on webhook endpoints. */
export const ENDPOINTS_PATH = '/api/v1/stores/webhook-endpoints';

/** A response of the API. */
export interface ApiResult {
  readonly status: number;
  /** The parsed JSON. */
  readonly body: unknown;
}

/** Far above the time limit of each function. */
const RESPONSE_MS_MAX = 30_000;

/**
 * Sends a request with a key.
 *
 * @throws if there is no response
 */
export const callApi = async (
  baseUrl: string,
  apiKey: string,
  [method, path, body]: readonly [method: string, path: string, body?: object],
): Promise<ApiResult> => {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(RESPONSE_MS_MAX),
  });
  return { status: response.status, body: await response.json() };
};
