import { expect, test } from 'vitest';
import { existingEndpoint, toEndpointItem } from '../../../lib/endpoints/endpoint-item.ts';

test.each(['log', 'id', 'url', 'createdAtMs'])(
  'an endpoint whose %s somebody removed by hand is not read',
  (field) => {
    const item = toEndpointItem({
      storeId: 'store-1',
      mode: 'test',
      endpointId: 'we_0123456789abcdefghijABCD',
      url: 'https://shop.example.com/webhooks',
      createdAtMs: 0,
    });
    expect(() => existingEndpoint({ ...item, [field]: undefined })).toThrow(
      `A stored endpoint has no valid ${field}`,
    );
  },
);
