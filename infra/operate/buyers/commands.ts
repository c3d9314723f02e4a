import { define } from '../frame/command.ts';
import { flag, optional, required } from '../frame/parameter.ts';
import { anyText, FILE } from '../frame/value-types.ts';
import { STORE } from '../shared/store-values.ts';

/** Commander repeats a wrong value in its message, so the function checks the address. */
const SEARCH_OPTIONS = {
  email: required(
    anyText('address'),
    'the buyer; - reads it from standard input, which keeps it out of the history of the shell',
  ),
  store: optional(STORE, 'only this store; default: all'),
  stateFile: optional(FILE, 'where an interrupted search continues; default: a file under .local/buyers'),
};

export const BUYERS = {
  export: define({
    summary: 'print the carts, events and deliveries of a buyer',
    options: SEARCH_OPTIONS,
    scans: true,
    json: 'email exportedAt carts events(storeId mode event) deliveries(endpointId eventId type recordedAt status reason? nextAttemptAt? attempts) unreadable?',
    example: 'buyers export --email ada@example.com --store shop > buyer.json',
    notes: `\
It prints one line of JSON: the carts with this e-mail address in customerInfo, in any case, with their payments, events and
deliveries. It searches no other field, so it misses a merchant's own copies of the address. If it cannot read an item, it
prints all others, names it, and exits with 1. After an interruption, the same command continues within a day.`,
  }),
  erase: define({
    summary: 'permanently erase the personal data of a buyer',
    options: { ...SEARCH_OPTIONS, dryRun: flag('count what it would erase, and change nothing') },
    scans: true,
    asks: true,
    audits: 'cartIds liveCarts testCarts events deliveries',
    json: 'dryRun? carts(live test) events deliveries cartIds? unreadable?',
    example: 'buyers erase --email ada@example.com --store shop --dry-run',
    notes: `\
It finds the carts with this e-mail address in customerInfo, in any case. It permanently erases the fields that docs/privacy.md
lists for Carts, also in their events. It also erases the texts of the responses to their deliveries. Ids, products, amounts,
payments, statuses and times stay. It sends no event. Buyers can still pay an erased cart that waits for payment. Queues
and dead letters have no personal data: a delivery that waits sends the erased event.
It searches no other field. A merchant's own copies of the address in carts of another address therefore stay.
If it cannot read an item, it erases the rest, says so, and exits with 1.
It shows the counts and asks before it changes live mode. After an interruption, the same command continues within a day. A
repetition is harmless.`,
  }),
};
