import type { LogId } from '../../../lib/events/store-event.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import { DEMO_STORES } from '../demo-stores.ts';

/** A request of the page's script to its stage. */
export interface PageRequest {
  /** Default: POST */
  readonly method?: 'DELETE';
  readonly path: string;
  /** A demo key. Absent for the sandbox, which needs none. */
  readonly apiKey?: string | undefined;
  /** The message after a success. */
  readonly done: string;
  /** The fields of a form, such as those of the sandbox. */
  readonly form?: Readonly<Record<string, string>>;
}

/** The demo key of a store in test mode. Other stores and live mode have none. */
export const demoKeyOf = ({ storeId, mode }: LogId): string | undefined =>
  mode === 'test' ? DEMO_STORES.find(({ id }) => id === storeId)?.apiKey : undefined;

/** A button that sends a request. Without the page's script, the stylesheet hides it. */
export const requestButton = (text: string, request: PageRequest): Markup =>
  markup`<button type="button" data-request="${JSON.stringify(request)}">${text}</button>`;
