import { ERRORS_PATH } from '../../../../functions/operations.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import type { ErrorCode } from '../../../errors-page/error-help.ts';
import { ERRORS_TITLE, errorSections } from '../../../errors-page/errors-page.ts';
import type { ApiResponse } from '../../gateway/response.ts';
import { htmlPage } from '../parts/html-page.ts';

const ENDPOINTS = ['contract.md#webhook-endpoints', 'Webhook endpoints'] as const;
const RETRY = ['integrate.md#5-errors', 'Errors, and when to retry'] as const;
const END_A_CART = ['contract.md#endpoints', 'Endpoints'] as const;

/** The place in the guide that explains a code, and its name. */
const PLACES: Readonly<Record<ErrorCode, readonly [place: string, name: string]>> = {
  INVALID_PRODUCT: ['contract.md#create-request', 'Create request'],
  INVALID_API_KEY: ['contract.md#authentication', 'Authentication'],
  VALIDATION_ERROR: ['contract.md#errors', 'Errors'],
  RATE_LIMITED: ['integrate.md#6-rate-limits', 'Rate limits'],
  CART_COMPLETED: END_A_CART,
  CART_PAYMENT_FAILED: END_A_CART,
  IDEMPOTENCY_KEY_REUSED: ['integrate.md#2-retry-safely', 'Retry safely'],
  WEBHOOK_ENDPOINT_NOT_FOUND: ENDPOINTS,
  WEBHOOK_DELIVERY_NOT_FOUND: ENDPOINTS,
  TOO_MANY_WEBHOOK_ENDPOINTS: ENDPOINTS,
  WEBHOOK_ENDPOINT_DISABLED: ENDPOINTS,
  WEBHOOK_SECRET_CHANGED: ENDPOINTS,
  TEST_EVENT_LIMITED: ENDPOINTS,
  RESEND_LIMITED: ENDPOINTS,
  WEBHOOK_ENDPOINT_LOCKED: ENDPOINTS,
  INTERNAL_ERROR: RETRY,
  SERVICE_UNAVAILABLE: RETRY,
  TIMEOUT: RETRY,
  MALFORMED_REQUEST: RETRY,
  FORBIDDEN: RETRY,
  NOT_FOUND: ['contract.md#endpoints', 'Endpoints'],
  PAYLOAD_TOO_LARGE: ['contract.md#limits', 'Limits'],
};

/** The link from a code to the place in the guide that explains it. */
const guideLink = (code: ErrorCode): Markup => {
  const [place, name] = PLACES[code];
  return markup`In the guide: <a href="/guide/${place}">${name}</a>`;
};

/** Finds the page of errors. */
export const errorsPages = (path: string): ApiResponse | undefined =>
  path === ERRORS_PATH
    ? htmlPage({ title: ERRORS_TITLE, current: ERRORS_PATH, content: errorSections(guideLink) })
    : undefined;
