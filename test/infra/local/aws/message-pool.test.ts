import { expect, it } from 'vitest';
import { IN_FLIGHT_MAX, MessagePool } from '../../../../infra/local/aws/message-pool.ts';
import { manualClock } from '../../../support/clock.ts';

const VISIBILITY_SECONDS = 180;

/** A pool with some visible messages, named by their numbers. */
const givenPool = (count: number, random = Math.random) => {
  const clock = manualClock();
  const pool = new MessagePool<{ readonly id: string }>({
    now: clock.now,
    random,
    visibilitySeconds: VISIBILITY_SECONDS,
  });
  for (let index = 0; index < count; index += 1) pool.add({ id: String(index) }, clock.now());
  return { clock, pool, receive: () => pool.receive(10) };
};

const idsOf = (received: readonly { readonly message: { readonly id: string } }[]): string[] =>
  received.map(({ message }) => message.id).toSorted();

it('a receiver gets each visible message once, in random order', () => {
  const firsts = [0, 0.5, 0.999].map((random) => {
    const { receive } = givenPool(12, () => random);
    const received = [...receive(), ...receive()];
    expect(idsOf(received)).toEqual(Array.from({ length: 12 }, (_, id) => String(id)).toSorted());
    expect(receive()).toEqual([]);
    return received[0]?.message.id;
  });
  expect(firsts).toEqual(['0', '6', '11']);
});

it('a message in flight is hidden for its time, and then has another handle and a higher count', () => {
  const { clock, pool, receive } = givenPool(2);
  const [[first], [second]] = [pool.receive(1), pool.receive(1)];
  pool.changeVisibility(first!.receiptHandle, 400);
  pool.changeVisibility(first!.receiptHandle, 200);
  clock.advance(VISIBILITY_SECONDS);
  const [again] = receive();
  expect(again).toMatchObject({ message: second!.message, receiveCount: 2 });
  clock.advance(20);
  expect(idsOf(receive())).toEqual([first!.message.id]);
  // A handle of a former receive has no effect.
  pool.delete(second!.receiptHandle);
  pool.changeVisibility(first!.receiptHandle, 0);
  expect(receive()).toEqual([]);
  clock.advance(VISIBILITY_SECONDS);
  expect(idsOf(receive())).toEqual(['0', '1']);
});

it('a deleted message never returns, and one that is visible again is not deleted', () => {
  const { clock, pool, receive } = givenPool(2);
  const [first, second] = receive();
  pool.delete(first!.receiptHandle);
  pool.changeVisibility(second!.receiptHandle, 1);
  clock.advance(1);
  pool.delete(second!.receiptHandle);
  expect(idsOf(receive())).toEqual([second!.message.id]);
  clock.advance(VISIBILITY_SECONDS);
  expect(idsOf(receive())).toEqual([second!.message.id]);
});

// If each call searched all messages, this would take minutes.
it('a receiver gets no message while 120,000 are in flight, including those returned with a delay', () => {
  const { clock, pool, receive } = givenPool(IN_FLIGHT_MAX + 3);
  const handles: string[] = [];
  for (let batch = receive(); batch.length > 0; batch = receive()) {
    for (const { receiptHandle } of batch) {
      pool.changeVisibility(receiptHandle, 900);
      handles.push(receiptHandle);
    }
  }
  expect(handles).toHaveLength(IN_FLIGHT_MAX);
  pool.delete(handles[0]!);
  expect(receive()).toHaveLength(1);
  expect(receive()).toEqual([]);
  for (const handle of handles.slice(1, 21)) pool.changeVisibility(handle, 1);
  clock.advance(1);
  expect(receive()).toHaveLength(10);
  for (const handle of handles) pool.delete(handle);
  expect(receive()).toHaveLength(10);
});

it('messages that are sent with a delay are not in flight', () => {
  const { clock, pool, receive } = givenPool(1);
  for (let index = 0; index < IN_FLIGHT_MAX; index += 1)
    pool.add({ id: `delayed ${index}` }, clock.now() + 1);
  expect(idsOf(receive())).toEqual(['0']);
});
