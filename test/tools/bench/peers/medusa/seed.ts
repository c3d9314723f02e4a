import { loadPackage } from '../packages.ts';

interface Named {
  readonly id: string;
}

type Workflow<Result> = (container: unknown) => {
  run(options: { readonly input: object }): Promise<{ readonly result: Result }>;
};

interface CoreFlows {
  readonly createApiKeysWorkflow: Workflow<readonly (Named & { readonly token: string })[]>;
  readonly createProductsWorkflow: Workflow<readonly { readonly variants: readonly Named[] }[]>;
  readonly createRegionsWorkflow: Workflow<readonly Named[]>;
  readonly createSalesChannelsWorkflow: Workflow<readonly Named[]>;
  readonly linkSalesChannelsToApiKeyWorkflow: Workflow<unknown>;
}

/** The ids that a request to Medusa's store API needs. */
export interface Catalogue {
  readonly publishableKey: string;
  readonly regionId: string;
  readonly variantId: string;
}

/** Stores one product at one price, a region, a sales channel and a publishable key. */
export const seed = async (name: string, amount: number): Promise<Catalogue> => {
  const flows = loadPackage('@medusajs/medusa/core-flows') as CoreFlows;
  const { container } = loadPackage('@medusajs/framework') as { readonly container: unknown };
  const run = async <Result>(workflow: Workflow<Result>, input: object): Promise<Result> =>
    (await workflow(container).run({ input })).result;

  const [channel] = await run(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Shop' }] });
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: 'Shop', type: 'publishable', created_by: '' }],
  });
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key!.id, add: [channel!.id] });
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [{ name: 'Europe', currency_code: 'eur', countries: ['de'], automatic_taxes: false }],
  });
  const [product] = await run(flows.createProductsWorkflow, {
    products: [
      {
        title: name,
        status: 'published',
        options: [{ title: 'Edition', values: ['First'] }],
        variants: [
          {
            title: 'First',
            manage_inventory: false,
            options: { Edition: 'First' },
            prices: [{ amount, currency_code: 'eur' }],
          },
        ],
        sales_channels: [{ id: channel!.id }],
      },
    ],
  });
  return { publishableKey: key!.token, regionId: region!.id, variantId: product!.variants[0]!.id };
};
