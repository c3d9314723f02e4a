import fc from 'fast-check';
import { FIELDS, names, values } from './values.ts';

/** Fields of an input that hold expressions, their names and their values. */
export type Expressions = Readonly<Record<string, unknown>>;

const fields = fc.oneof({ weight: 9, arbitrary: fc.constantFrom<string>(...FIELDS) }, names);

/** A text that uses `#f` and `:v`, or only some of them: DynamoDB rejects names and values that are not used. */
const bound = (expression: string, text: string): fc.Arbitrary<Expressions> =>
  fc.record({ field: fields, value: values }).map(({ field, value }) => ({
    [expression]: text,
    ...(text.includes('#f') && { ExpressionAttributeNames: { '#f': field } }),
    ...(text.includes(':v') && { ExpressionAttributeValues: { ':v': value } }),
  }));

const oneOf = (expression: string, ...texts: readonly string[]): fc.Arbitrary<Expressions> =>
  fc.oneof(...texts.map((text) => bound(expression, text)));

const NO_EXPRESSION = fc.constant<Expressions>({});

/** Conditions of writes. Half of the writes have none. */
export const conditions = fc.oneof(
  { weight: 7, arbitrary: NO_EXPRESSION },
  {
    weight: 7,
    arbitrary: oneOf(
      'ConditionExpression',
      'attribute_not_exists(pk)',
      'attribute_exists(pk)',
      'attribute_exists(#f)',
      '#f = :v',
      'attribute_not_exists(#f) OR #f < :v',
      'contains(#f, :v)',
      'size(#f) > :v',
      'NOT begins_with(#f, :v)',
      'attribute_type(#f, :v)',
      '#f IN (:v)',
    ),
  },
  {
    weight: 1,
    arbitrary: oneOf(
      'ConditionExpression',
      '',
      'pk',
      '#f =',
      '#missing = :v',
      '#f = :missing',
      'attribute_exists(',
    ),
  },
);

export const filters = fc.oneof(
  { weight: 3, arbitrary: NO_EXPRESSION },
  { weight: 2, arbitrary: oneOf('FilterExpression', '#f = :v', 'attribute_exists(#f)', '#f <> :v', 'wrong') },
);

const plainUpdates = oneOf(
  'UpdateExpression',
  'SET #f = :v',
  'SET #f = if_not_exists(#f, :v)',
  'SET #f = #f + :v',
  'SET #f = list_append(#f, :v)',
  'SET #f.deep[0] = :v',
  'REMOVE #f',
  'ADD #f :v',
  'DELETE #f :v',
  'SET pk = :v',
  'SET #f :v',
  '',
);

/** An update of a counter and a set, which often succeeds. */
const counts: fc.Arbitrary<Expressions> = fc
  .record({
    by: fc.integer({ min: -5, max: 5 }),
    tags: fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ by, tags }) => ({
    UpdateExpression: 'SET n = if_not_exists(n, :zero) + :by ADD s :tags',
    ExpressionAttributeValues: { ':zero': 0, ':by': by, ':tags': new Set(tags) },
  }));

const merged = (update: Expressions, condition: Expressions): Expressions => {
  const merge = (field: string) => {
    const [of, and] = [update[field], condition[field]] as (object | undefined)[];
    return of || and ? { [field]: { ...of, ...and } } : {};
  };
  return {
    ...update,
    ...condition,
    ...merge('ExpressionAttributeNames'),
    ...merge('ExpressionAttributeValues'),
  };
};

/** Updates with their conditions. */
export const updates = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: plainUpdates }, { weight: 1, arbitrary: counts }), conditions)
  .map(([update, condition]) => merged(update, condition));
