import { CREATED, order, type Program } from '../support/program.ts';

/** Python: the address has letters beyond ASCII in its host and path. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectURL: 'https://café.example/merci-à-vous' }) }),
  gets: CREATED,
  reads: async (created, { atCheckout }) => {
    const { host, pathname } = await atCheckout(created, 'pay');
    return { host, pathname };
  },
  sees: { host: 'xn--caf-dma.example', pathname: '/merci-%C3%A0-vous' },
};
