// Stores the part of a release's production template that `template.test.ts` compares:
//   node_modules/.bin/node test/upgrade/make-template.ts {checkout of the release} {folder, such as 2026-11-21}
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Template as CdkTemplate } from 'aws-cdk-lib/assertions';
import type { CartCheckoutApp as App } from '../../infra/stack/cart-checkout-app.ts';
import { DATA_TYPES, type StoredTemplate } from './fixtures.ts';

const [folder = '', name = ''] = process.argv.slice(2);
const target = join(import.meta.dirname, name);
const checkout = resolve(folder);
// The stack finds its functions from the folder in which the CDK runs.
process.chdir(checkout);

const { CartCheckoutApp } = (await import(join(checkout, 'infra/stack/cart-checkout-app.ts'))) as {
  readonly CartCheckoutApp: typeof App;
};
const { Template } = createRequire(join(checkout, 'package.json'))('aws-cdk-lib/assertions') as {
  readonly Template: typeof CdkTemplate;
};
const context = { stage: 'prod', checkoutUrl: 'https://pay.example.com', alarmEmail: 'ops@example.com' };
const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { readonly context: object };
const outdir = mkdtempSync(join(tmpdir(), 'cart-checkout-template-'));
const { stack } = new CartCheckoutApp(() => '', {
  outdir,
  context: { ...flags, ...context, 'aws:cdk:bundling-stacks': [] },
});
const { Resources, Outputs } = Template.fromStack(stack).toJSON() as StoredTemplate;
rmSync(outdir, { recursive: true });

const withData = Object.entries(Resources).filter(([, { Type }]) => Type in DATA_TYPES);
const template: StoredTemplate = {
  Resources: Object.fromEntries(withData),
  Outputs: Object.fromEntries(Object.keys(Outputs).map((output) => [output, {}])),
};
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'template.json'), `${JSON.stringify(template)}\n`);
