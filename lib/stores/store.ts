/** A merchant's store. Keys, products, carts and events name it by its id. */
export interface Store {
  readonly id: string;
  /** The name that pages and messages show. */
  readonly name: string;
  readonly createdAtMs: number;
}
