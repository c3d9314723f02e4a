import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { IS_PACKAGE } from '../../../core/project.ts';
import { codeTabs, type Samples } from '../parts/code.ts';

/** The port and the path at which the receivers of the guide listen by default. */
const DEFAULT_PORT = '8080';
const PATH = '/hook';

const EXAMPLES = 'docs/examples';

/**
 * The commands that start the receivers of the guide for an endpoint. `undefined` if they do not listen at its address.
 *
 * @param isClone whether the commands run in a clone of this project. Otherwise, the user has copied the receivers
 */
export const receiverCommands = (address: string, secret: string, isClone: boolean): Samples | undefined => {
  const { protocol, hostname, port, pathname } = URL.parse(address) ?? {};
  const isHere = protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname ?? '');
  if (!isHere || !port || pathname !== PATH) return undefined;
  const settings = `WEBHOOK_SECRET=${secret}`;
  const withPort = port === DEFAULT_PORT ? settings : `PORT=${port} ${settings}`;
  const at = (folder: string, file: string) => (isClone ? `${EXAMPLES}/${folder}/${file}` : file);
  const php = `${settings} php -S 127.0.0.1:${port} ${at('php', 'webhooks.php')}`;
  return {
    node: `${withPort} node ${at('node', 'webhooks.mjs')}`,
    python: `${isClone ? 'PYTHONPATH=clients/python/src ' : ''}${withPort} python3 ${at('python', 'webhooks.py')}`,
    php: isClone ? `composer install --quiet --working-dir ${EXAMPLES}/php &&\n  ${php}` : php,
  };
};

const IN_CLONE = markup`Run it in your clone of Cart Checkout. It prints each event and each rejection.`;

const COPIED = markup`First copy the receiver of your language, and the files that it imports, from the <a href="/guide/integrate.md#webhooks">guide</a>, and install the <a href="/guide/clients.md">client</a>. It prints each event and each rejection.`;

/** The section with the command that starts a receiver of the guide. */
export const receiverSection = (address: string, secret: string): Markup | undefined => {
  const commands = receiverCommands(address, secret, !IS_PACKAGE);
  return (
    commands &&
    markup`
<section>
<h2>Start a receiver</h2>
<p>${IS_PACKAGE ? COPIED : IN_CLONE}</p>
${codeTabs('receiver', 'the command', commands)}
</section>`
  );
};
