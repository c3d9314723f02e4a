import { writeFileSync } from 'node:fs';
import { PRICE, PRODUCT_NAME } from '../product.ts';

/** The data of a new shop. Vendure requires a country, a zone and a tax rate before the shop can sell. */
export const INITIAL_DATA = {
  defaultLanguage: 'en',
  countries: [{ name: 'Germany', code: 'DE', zone: 'Europe' }],
  defaultZone: 'Europe',
  taxRates: [{ name: 'Standard Tax', percentage: 0 }],
  shippingMethods: [],
  paymentMethods: [],
  collections: [],
} as const;

/** Writes the one product in the form of Vendure's import. */
export const writeProducts = (file: string): void => {
  const product = {
    name: PRODUCT_NAME,
    slug: 'product',
    description: '',
    assets: '',
    facets: '',
    optionGroups: '',
    optionValues: '',
    sku: 'P1',
    price: String(PRICE),
    taxCategory: 'standard',
    stockOnHand: '100',
    trackInventory: 'false',
    variantAssets: '',
    variantFacets: '',
  };
  writeFileSync(file, `${Object.keys(product).join(',')}\n${Object.values(product).join(',')}\n`);
};
