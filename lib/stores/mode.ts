/** Test keys create test carts, which move no money. Live keys create live carts. Neither kind sees the other's. */
export type Mode = 'test' | 'live';

export const MODES: readonly Mode[] = ['live', 'test'];

/** A store in one mode. Its API keys, carts, events and endpoints belong together. */
export interface StoreMode {
  readonly storeId: string;
  readonly mode: Mode;
}
