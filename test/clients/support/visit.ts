/** The values that a program reads from the stage through a generated client. */
export interface Visit {
  readonly created: { readonly id: string; readonly status: string; readonly redirectUrl: string };
  readonly retrieved: {
    readonly id: string;
    readonly status: string;
    readonly amount: number;
    readonly currency: string;
    readonly meta: Readonly<Record<string, string>>;
  };
  /** The rejection of a request whose `email` is no address. */
  readonly rejected: { readonly status: number; readonly code: string; readonly paths: readonly string[] };
  /** The rejection of an unknown cart's id. */
  readonly unknown: { readonly status: number; readonly code: string };
  /** The types of the listed events, and the refunds that they ask for. */
  readonly events: readonly string[];
}

/** The fields of the request that each program sends. */
interface Buyer {
  readonly productDocumentId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly redirectURL: string;
  readonly meta: Readonly<Record<string, string>>;
}

/** Creates and retrieves a cart, lists the events, and sends a request and an id that the stage rejects. */
export type VisitStage = (stage: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly buyer: Buyer;
}) => Promise<Visit>;

export const UNKNOWN_CART = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';
