import type { Fault } from '../fault.ts';
import { PRODUCT } from '../stage.ts';

/** Somebody has disabled the merchant's product. */
export const disabledProduct: Fault = async (stage) => {
  const apiKey = await stage.issueKey();
  await stage.operate('products', 'disable', PRODUCT);
  await stage.order(apiKey);
  return {
    section: 'NoCarts',
    report: [
      `Since this morning, nobody can buy our product ${PRODUCT}. We have changed nothing, and still sell it.`,
      'The page in front of your payment page shows an error.',
    ],
    isMended: async () => (await stage.order(apiKey)).status === 201,
    mend: () => stage.operate('products', 'enable', PRODUCT),
  };
};
