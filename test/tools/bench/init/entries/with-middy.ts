import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';

export { documents } from './document-client.ts';

export const handler = middy()
  .use(httpJsonBodyParser({ disableContentTypeCheck: true }))
  .handler(() => undefined);
