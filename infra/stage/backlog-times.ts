import { QUEUES, type Reader } from './queues.ts';

type Throughput = Pick<Reader, 'batchSize' | 'concurrency' | 'secondsPerBatch' | 'one'>;

export const messagesPerSecond = ({ concurrency, batchSize, secondsPerBatch }: Throughput): number =>
  Math.round((concurrency * batchSize) / secondsPerBatch);

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A duration in its largest unit, rounded up to one decimal. */
const durationText = (seconds: number): string => {
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
  const count = unit === 'second' ? Math.ceil(seconds) : Math.ceil((10 * seconds) / length) / 10;
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
};

/** How long a stage takes for messages of many stores or endpoints, and of a single one. */
export const backlogTimes = (reader: Throughput, messages: number) => ({
  ofMany: durationText(messages / messagesPerSecond(reader)),
  ofOne: durationText(messages / reader.one.messagesPerSecond),
});

const rateOf = (reader: Throughput): string => messagesPerSecond(reader).toLocaleString('en');

const { payments, delivery } = QUEUES;

/** How fast the stage works off what a command sends to its queues. */
export const BACKLOG_NOTE = `\
The stage then handles up to ${rateOf(payments.reader)} payments a second, of one store ${payments.reader.one.messagesPerSecond}, and up to ${rateOf(delivery.reader)} live deliveries a second, to one
endpoint ${delivery.reader.one.messagesPerSecond}: docs/operate.md, "How long a backlog takes".`;
