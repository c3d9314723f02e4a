import { execFile } from 'node:child_process';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HttpRequest } from '../../http/load.ts';
import { BUYER } from '../../../../support/secrets.ts';
import { loadPackage } from '../packages.ts';
import { baseUrlOf, dataFolder, HOST, type ReadyPeer, runPeer, sendOnce } from '../peer-process.ts';
import { PRICE, PRODUCT_NAME } from '../product.ts';
import { startPostgres } from './postgres.ts';
import { seed } from './seed.ts';

type Start = (options: {
  readonly directory: string;
  readonly host: string;
  readonly port: number;
}) => Promise<{
  readonly server: Server;
}>;

const startMedusa = async (): Promise<ReadyPeer> => {
  // Medusa reads its configuration here.
  process.chdir(import.meta.dirname);
  process.env['DATABASE_URL'] = await startPostgres(dataFolder());
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'migrate.ts')]);
  const { default: start } = loadPackage('@medusajs/medusa/commands/start') as { readonly default: Start };
  const { server } = await start({ directory: import.meta.dirname, host: HOST, port: 0 });
  const { publishableKey, regionId, variantId } = await seed(PRODUCT_NAME, PRICE);

  const baseUrl = baseUrlOf(server);
  const headers = { 'x-publishable-api-key': publishableKey };
  const create: HttpRequest = {
    method: 'POST',
    path: '/store/carts',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      region_id: regionId,
      email: BUYER.email,
      items: [{ variant_id: variantId, quantity: 1 }],
    }),
    validText: BUYER.email,
  };
  const { cart } = JSON.parse((await sendOnce(baseUrl, create)).text) as { cart: { id: string } };
  const retrieve: HttpRequest = {
    method: 'GET',
    path: `/store/carts/${cart.id}`,
    headers,
    validText: BUYER.email,
  };
  await sendOnce(baseUrl, retrieve);
  return { baseUrl, create, retrieve };
};

await runPeer(startMedusa);
