// SPDX-License-Identifier: MIT-0
// The payment page of live carts, in front of a stand-in for a payment provider. Needs Node.js 24:
//
//   npx node docs/examples/payments/main.ts
//
// It serves the local stage at BASE_URL (http://127.0.0.1:3000). For a deployed stage, set EVENT_BUS_NAME too, and replace
// the stand-in with your provider. OPERATE_FLAGS are further flags of `npm run operate`, such as `--dynamodb URL`.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createAdapter } from './adapter.ts';
import { deployedStage, localStage } from './stage.ts';
import { createStandInProvider } from './stand-in-provider.ts';

const {
  BASE_URL = 'http://127.0.0.1:3000',
  EVENT_BUS_NAME = '',
  OPERATE_FLAGS = '',
  PORT = '4000',
} = process.env;
const baseUrl = BASE_URL.replace(/\/$/, '');
const publicUrl = (process.env['PUBLIC_URL'] ?? `http://127.0.0.1:${PORT}`).replace(/\/$/, '');
const secret = randomBytes(32).toString('hex');

const provider = createStandInProvider(publicUrl, secret);
const adapter = createAdapter({
  ...(EVENT_BUS_NAME === ''
    ? localStage(baseUrl, OPERATE_FLAGS.split(' ').filter(Boolean))
    : deployedStage(baseUrl, EVENT_BUS_NAME)),
  publicUrl,
  createPayment: provider.createPayment,
  webhookSecrets: [secret],
});

createServer((request, response) =>
  request.url?.startsWith('/provider/') ? provider.listener(request, response) : adapter(request, response),
).listen(Number(PORT), '127.0.0.1', () => console.log(`The payment page is at ${publicUrl}/pay/{cartId}`));
