import { command, define, flag, type Group, optional, required } from '../command.ts';
import { SCAN_NOTE } from '../scan-note.ts';
import { anyText, STORE } from '../value-types.ts';

/** Commander repeats a wrong value in its message, so the function checks the address. */
const SEARCH_OPTIONS = {
  email: required(
    anyText('address'),
    'the buyer; - reads it from standard input, which keeps it out of the history of the shell',
  ),
  store: optional(STORE, 'only this store; default: all'),
  stateFile: optional(
    anyText('file'),
    'where an interrupted search continues; default: a file under .local/buyers',
  ),
};

export const EXPORT_BUYER = define({
  summary: 'print the carts, events and deliveries of a buyer',
  options: SEARCH_OPTIONS,
  json: 'email exportedAt carts events(storeId mode event) deliveries(endpointId eventId type recordedAt status reason? nextAttemptAt? attempts) unreadable?',
  example: 'buyers export --email ada@example.com --store shop > buyer.json',
  notes: `\
It prints one line of JSON: the carts with this e-mail address in customerInfo, in any case, with their payments, events and
deliveries. It does not search meta, so it misses a merchant's own copies of the address there. If it cannot read an item, it
prints all others, names it, and exits with 1. After an interruption, the same command continues within a day.
${SCAN_NOTE}`,
});

export const ERASE_BUYER = define({
  summary: 'permanently erase the personal data of a buyer',
  options: { ...SEARCH_OPTIONS, dryRun: flag('count what it would erase, and change nothing') },
  asks: true,
  audits: 'cartIds liveCarts testCarts events deliveries deadLetters',
  json: 'dryRun? carts(live test) events deliveries deadLetters cartIds? unreadable? hasMoreDeadLetters?',
  example: 'buyers erase --email ada@example.com --store shop --dry-run',
  notes: `\
It finds the carts with this e-mail address in customerInfo, in any case. It permanently erases their customerInfo, meta and
return address, also in their events and in dead letters. It also erases the texts of the responses to their deliveries. Ids,
products, amounts, payments, statuses and times stay. It sends no event. Buyers can still pay an erased cart that waits.
It does not search meta. A merchant's own copies of the address in carts of another address therefore stay.
If it cannot read an item or all dead letters, it erases the rest, says so, and exits with 1.
It does not search the delivery queue. A delivery in it, or a stream record of the last 24 hours, can become a dead letter with
the data later: run the same command again after a day, and after a redrive of dead letters.
It shows the counts and asks before it changes live mode. After an interruption, the same command continues within a day. A
repetition is harmless.
${SCAN_NOTE}`,
});

export const SCHEDULE_ERASURES = define({
  summary: 'schedule the erasures of carts of an earlier release',
  options: { dryRun: flag('count the carts, and change nothing') },
  asks: true,
  audits: 'personalDataDays live test',
  json: 'dryRun? personalDataDays scheduled(live test) due(live test)',
  example: 'buyers schedule-erasures --stage prod --dry-run',
  notes: `\
A stage erases the personal data of a completed cart by itself, after its personalDataDays. It schedules each cart at its
expiry, but an earlier release did not. Run this command once after the upgrade, and after each restore of a table of carts
or of Due. A repetition is safe, also after an interruption: a cart that is scheduled twice is erased once.
${SCAN_NOTE}`,
});

export const buyers: Group = {
  summary: 'export and erase the personal data of a buyer',
  commands: {
    export: command(EXPORT_BUYER, () => import('./export.ts')),
    erase: command(ERASE_BUYER, () => import('./erase.ts')),
    'schedule-erasures': command(SCHEDULE_ERASURES, () => import('./schedule-erasures.ts')),
  },
};
