import { expect, test } from 'vitest';
import { existingRecord } from '../../../../lib/deliveries/records/delivery-item.ts';

test.each(['endpointId', 'id', 'eventId', 'type', 'recordedAtMs'])(
  'a delivery whose %s somebody removed by hand is not read',
  (field) => {
    const item = {
      endpointId: 'we_0123456789abcdefghijABCD',
      id: '1970-01-01T00:00:00.000Z#evt_1',
      eventId: 'evt_1',
      type: 'cart.completed',
      recordedAtMs: 0,
      latest: 'waiting',
    };
    expect(() => existingRecord({ ...item, [field]: undefined }, 0)).toThrow(
      `A stored delivery has no valid ${field}`,
    );
  },
);
