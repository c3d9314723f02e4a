import type { EndpointWithState } from '../../../../lib/endpoints/endpoint.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { type Evidence, type Progress, type Step, STEPS } from '../../checklist/checklist.ts';
import { cartReference, time } from '../parts/elements.ts';
import { checkButton } from '../webhooks/endpoint-page.ts';
import { shortEndpointName } from '../webhooks/endpoint-parts.ts';

interface StepText {
  readonly title: string;
  /** The action that the stage sees as the step. */
  readonly hint: Markup;
  /** The section of the guide. */
  readonly section: string;
}

const TEXTS: Readonly<Record<Step, StepText>> = {
  created: {
    title: 'Your program created a cart',
    hint: markup`Send the call above from your own code.`,
    section: '1-create-a-cart',
  },
  returned: {
    title: 'The buyer was sent back, and your program retrieved the cart',
    hint: markup`Send a <code>redirectURL</code> with the cart, pay in a browser, and retrieve the cart when the buyer returns.`,
    section: '3-handle-the-buyers-return',
  },
  verified: {
    title: 'Your endpoint accepted a valid event, and rejected a forged one',
    hint: markup`<a href="/endpoints">Add an endpoint</a>, start its receiver, and check it.`,
    section: 'webhooks',
  },
  declined: {
    title: 'Your shop handled a decline',
    hint: markup`Decline a payment, retrieve the cart as <code>payment_failed</code>, pay, and retrieve it as <code>completed</code>.`,
    section: '7-test-mode',
  },
  replayed: {
    title: 'A retry created no second cart',
    hint: markup`Send the same call twice with one <code>Idempotency-Key</code>.`,
    section: '2-retry-safely',
  },
  read: {
    title: 'Your program read the feed',
    hint: markup`List the events after a payment.`,
    section: 'the-feed',
  },
};

/** The most endpoints with a button. */
const BUTTONS_MAX = 3;

const checkButtons = (endpoints: readonly EndpointWithState[]): readonly Markup[] =>
  endpoints
    .flatMap((endpoint) => checkButton(endpoint, `Check ${shortEndpointName(endpoint)}`) ?? [])
    .slice(0, BUTTONS_MAX);

/** The evidence in one line, such as `curl/8.5.0, cart 3f8dc76d…, 2 min ago`. */
const evidenceOf = ({ program, cartId, endpointId, atMs }: Evidence): Markup =>
  markup`${program && markup`${program}, `}${cartId && markup`cart ${cartReference(cartId)}, `}${
    endpointId && markup`<a href="/endpoints/${endpointId}">the endpoint</a>, `
  }${time(atMs)}`;

const stepItem = (
  step: Step,
  index: number,
  evidence: Evidence | undefined,
  endpoints: readonly EndpointWithState[],
): Markup => {
  const { title, hint, section } = TEXTS[step];
  const mark = evidence
    ? markup`<span class="mark" role="img" aria-label="Done">✓</span>`
    : markup`<span class="mark" aria-hidden="true">${String(index + 1)}</span>`;
  const text = evidence
    ? evidenceOf(evidence)
    : markup`${hint}${step === 'verified' && markup`<span class="row">${checkButtons(endpoints)}</span>`}`;
  return markup`<li${evidence && markup` class="done"`}>${mark}<div><a href="/guide/integrate.md#${section}">${title}</a><br><span class="soft">${text}</span></div></li>\n`;
};

/** The checklist of an integration. It is folded when all are done. */
export const checklistSection = (progress: Progress, endpoints: readonly EndpointWithState[]): Markup => {
  const count = STEPS.filter((step) => progress[step]).length;
  const isDone = count === STEPS.length;
  // Another id when it is done: the script keeps a part with the same id open.
  return markup`
<section>
<details class="checklist" id="${isDone ? 'checklist-done' : 'checklist'}"${!isDone && markup` open`}>
<summary><h2>Your integration</h2> <span class="soft">${isDone ? 'all steps are done' : `${count} of ${STEPS.length} steps, ticked by what this stage sees`}</span></summary>
<ol>
${STEPS.map((step, index) => stepItem(step, index, progress[step], endpoints))}</ol>
${isDone && markup`<p><a href="/guide/integrate.md#8-go-live">Go live</a></p>`}
</details>
</section>`;
};
