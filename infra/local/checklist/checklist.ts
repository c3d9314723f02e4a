import { OPERATIONS } from '../../../functions/operations.ts';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import type { ServedRequest } from '../gateway/gateway.ts';
import { requestHeader, senderOf } from '../requests/sender.ts';

/** The steps of an integration, in the order of the guide. */
export const STEPS = ['created', 'returned', 'verified', 'declined', 'replayed', 'read'] as const;

export type Step = (typeof STEPS)[number];

/** The request or the check that showed a step. */
export interface Evidence {
  readonly atMs: number;
  /** The beginning of the program's `User-Agent`. */
  readonly program?: string | undefined;
  readonly cartId?: string | undefined;
  readonly endpointId?: string | undefined;
}

/** The steps that the stage saw, each with its first evidence. */
export type Progress = Readonly<Partial<Record<Step, Evidence>>>;

/** The steps of an integration that are done. Only what the stage observes ticks one. */
export interface IntegrationChecklist {
  readonly progress: () => Progress;
  /** Looks at a request with its response. */
  readonly observe: (served: ServedRequest) => void;
  /** An endpoint took a valid event, and rejected forged ones. */
  readonly verified: (endpointId: string, atMs: number) => void;
}

/** The fields of the responses that are looked at. */
interface Body {
  readonly status?: string;
  readonly cart?: { readonly id?: string };
  readonly events?: readonly { readonly type?: string }[];
}

const responseHeader = ({ response }: ServedRequest, name: string): string | undefined =>
  response.headers.find(([each]) => each.toLowerCase() === name)?.[1];

/** Whether the payment page sent a buyer in a browser to an address outside the stage. */
const leadsToShop = (served: ServedRequest): boolean => {
  const target = URL.parse(responseHeader(served, 'location') ?? '');
  const isBrowser = requestHeader(served, 'sec-fetch-mode') === 'navigate';
  const isOutside = target !== null && target.host !== requestHeader(served, 'host');
  return served.response.status === 303 && isBrowser && isOutside;
};

const PROGRAM_CHARACTERS_MAX = 40;

const programOf = (served: ServedRequest): string | undefined =>
  requestHeader(served, 'user-agent')?.split(' ', 1)[0]?.slice(0, PROGRAM_CHARACTERS_MAX);

/**
 * Creates the checklist.
 *
 * @param stored the progress of an earlier process
 * @param save stores the progress after each new step
 */
export const createChecklist = (
  stored: Progress,
  save: (progress: Progress) => void,
): IntegrationChecklist => {
  let progress = stored;
  // The carts between two parts of a step, until it is done.
  const returned = new Set<string>();
  const declined = new Set<string>();
  const tick = (step: Step, evidence: Evidence): void => {
    if (progress[step]) return;
    progress = { ...progress, [step]: evidence };
    save(progress);
  };

  const observeProgram = (served: ServedRequest, cartId: string | undefined): void => {
    const { match, response, receivedAtMs: atMs } = served;
    const evidence = { atMs, program: programOf(served) };
    const body = (): Body => parseJson(response.body.toString()) ?? {};
    if (match?.route === OPERATIONS.createCartCheckout && response.status === 201) {
      const created = { ...evidence, cartId: body().cart?.id };
      tick('created', created);
      if (responseHeader(served, 'idempotent-replayed') === 'true') tick('replayed', created);
    }
    // A new stage already has events of its own endpoints.
    const hasCartEvent = (): boolean => body().events?.some(({ type }) => type?.startsWith('cart.')) ?? false;
    if (match?.route === OPERATIONS.listEvents && response.status === 200 && hasCartEvent())
      tick('read', evidence);
    if (match?.route !== OPERATIONS.getCart || response.status !== 200 || cartId === undefined) return;
    if (returned.has(cartId)) tick('returned', { ...evidence, cartId });
    const { status } = body();
    if (status === 'payment_failed' && !progress.declined) declined.add(cartId);
    if (status === 'completed' && declined.has(cartId)) tick('declined', { ...evidence, cartId });
  };

  return {
    progress: () => progress,
    observe: (served) => {
      const cartId = parseCartId(served.match?.pathParameters.get('cartId'));
      const isPayment = served.match?.route === OPERATIONS.submitSandboxCheckout;
      if (isPayment && cartId !== undefined && !progress.returned && leadsToShop(served))
        returned.add(cartId);
      if (senderOf(served) === 'program') observeProgram(served, cartId);
    },
    verified: (endpointId, atMs) => tick('verified', { atMs, endpointId }),
  };
};
