import { OPERATIONS } from '../../../functions/operations.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import { DEMO_STORES, FIRST_CART } from '../demo-stores.ts';
import { curlCommand } from '../ready-message.ts';
import { copyButton } from './copy-button.ts';

/** Programs that create a cart, each with its language and the file to save it in. */
const snippetsOf = (baseUrl: string): readonly (readonly [id: string, title: string, text: string])[] => {
  const url = baseUrl + OPERATIONS.createCartCheckout.path;
  const key = String(DEMO_STORES[0]?.apiKey);
  const body = JSON.stringify(FIRST_CART);
  return [
    ['curl', 'curl', curlCommand(baseUrl, ' \\\n  ')],
    [
      'node',
      'Node.js: save as cart.mjs',
      `const response = await fetch('${url}', {
  method: 'POST',
  headers: { Authorization: 'Bearer ${key}', 'Content-Type': 'application/json' },
  body: JSON.stringify(${body}),
});
console.log(response.status, await response.json());`,
    ],
    [
      'python',
      'Python: save as cart.py',
      `import json
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    data=json.dumps(${body}).encode(),
    headers={"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
)
print(json.load(urlopen(request)))`,
    ],
    [
      'php',
      'PHP: save as cart.php',
      `<?php
$response = file_get_contents('${url}', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ['Authorization: Bearer ${key}', 'Content-Type: application/json'],
    'content' => '${body}',
]]));
echo $response;`,
    ],
  ];
};

/** The call that creates a cart, in four languages. One is open at a time. */
export const snippets = (baseUrl: string): Markup =>
  markup`${snippetsOf(baseUrl).map(
    ([id, title, text], index) => markup`
<details name="snippet"${index === 0 && markup` open`}><summary>${title}</summary>
<div class="code"><div class="row">${copyButton(id, `the call for ${title}`)}</div><pre tabindex="0"><code id="${id}">${text}</code></pre></div></details>`,
  )}`;
