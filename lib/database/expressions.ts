/** The changes of an item, by attribute. An attribute has one change. `undefined` changes nothing. */
export interface Changes {
  readonly set?: Readonly<Record<string, unknown>>;
  /** New values of attributes that the item lacks. */
  readonly setIfMissing?: Readonly<Record<string, unknown>>;
  /** Elements to add to the end of lists. A missing list is empty. */
  readonly append?: Readonly<Record<string, readonly unknown[] | undefined>>;
  /** Numbers to add. A missing number is 0. */
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
  /** The paths to remove within lists, such as `attempts[0]`, as the expression writes them. */
  readonly removePaths?: readonly string[];
}

/** The condition of an update. It may use the placeholders of the changes, and adds its own. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

const given = (values: Readonly<Record<string, unknown>> = {}): readonly (readonly [string, unknown])[] =>
  Object.entries(values).filter(([, value]) => value !== undefined);

const clause = (action: string, parts: readonly string[]): string =>
  parts.length > 0 ? `${action} ${parts.join(', ')}` : '';

/**
 * The update of an item with changes, at least one. The placeholder of a name is `#name`, and of its value `:name`, so that
 * reserved words are safe.
 */
export const updateOf = (
  { set, setIfMissing, append, add, remove = [], removePaths = [] }: Changes,
  condition: Partial<Condition> = {},
) => {
  const toSet = given(set);
  const ifMissing = given(setIfMissing);
  const appended = given(append);
  const added = given(add);
  const valued = [...toSet, ...ifMissing, ...appended, ...added];
  const names = [...valued.map(([name]) => name), ...remove];
  const clauses = [
    clause('SET', [
      ...toSet.map(([name]) => `#${name} = :${name}`),
      ...ifMissing.map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`),
      ...appended.map(([name]) => `#${name} = list_append(if_not_exists(#${name}, :emptyList), :${name})`),
    ]),
    clause(
      'ADD',
      added.map(([name]) => `#${name} :${name}`),
    ),
    clause('REMOVE', [...remove.map((name) => `#${name}`), ...removePaths]),
  ];
  const values: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(valued.map(([name, value]) => [`:${name}`, value])),
    ...(appended.length > 0 && { ':emptyList': [] }),
    ...condition.ExpressionAttributeValues,
  };
  const nameOf: Readonly<Record<string, string>> = {
    ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ...condition.ExpressionAttributeNames,
  };
  return {
    ...condition,
    UpdateExpression: clauses.filter((text) => text !== '').join(' '),
    // DynamoDB rejects an empty map.
    ...(Object.keys(nameOf).length > 0 && { ExpressionAttributeNames: nameOf }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
};
