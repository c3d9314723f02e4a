import { hash } from 'node:crypto';

/** The id of an event: `evt_` and 128 bits of the SHA-256 of a text that identifies it. */
export const eventIdFrom = (identity: string): string => `evt_${hash('sha256', identity).slice(0, 32)}`;
