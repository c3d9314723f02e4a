import { type Program } from '../support/program.ts';

/** A monitor of addresses: `HEAD` instead of `GET`. The response has no body. */
export const program: Program = {
  creates: () => ({ method: 'HEAD' }),
  gets: { status: 404 },
  reads: ({ bodyText }) => bodyText,
  sees: '',
};
