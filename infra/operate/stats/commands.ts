import { define } from '../frame/command.ts';
import { defaulting, optional } from '../frame/parameter.ts';
import { checkRange, MODE, TIME } from '../frame/value-types.ts';
import { STORE } from '../shared/store-values.ts';

export const STATS = define(
  {
    summary: 'count carts by status, with amounts and conversion; reads the whole tables',
    options: {
      store: optional(STORE, 'only carts of this store'),
      mode: optional(MODE, 'only carts of this mode'),
      since: defaulting(TIME, '7d', 'carts created then or later'),
      until: optional(TIME, 'carts created before; default: now'),
    },
    scans: true,
    json: 'storeId? since until stats(mode carts waiting completed failed abandoned conversion? completedAmounts refundedAmounts netAmounts)',
    example: 'stats --mode live --since 2026-11-01 --until 2026-11-08 --stage prod',
    notes: `\
It counts the carts of the time range by their current status. Conversion is the completed share of all these carts. Sums of
amounts are exact. Refunds are those of the payments that completed carts. In the net amounts, a payment whose refunds exceed it
counts as zero.
The service deletes unpaid carts 30 days after they expire. With an earlier --since, there is no conversion.`,
  },
  checkRange,
);
