/** The changes of an update. */
export interface Changes {
  /** New values by attribute. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
}

/**
 * Builds the update expression for changes of attributes, whose names may be reserved words. Its placeholders begin with
 * `#set`, `#removed` and `:set`, so a condition can have others.
 *
 * @param changes at least one, and each attribute once. DynamoDB rejects any others.
 */
export const updateOf = ({ set = {}, remove = [] }: Changes) => {
  const names = Object.keys(set);
  const clauses = [
    ...(names.length > 0 ? [`SET ${names.map((_, index) => `#set${index} = :set${index}`).join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map((_, index) => `#removed${index}`).join(', ')}`] : []),
  ];
  return {
    expression: clauses.join(' '),
    names: {
      ...Object.fromEntries(names.map((name, index) => [`#set${index}`, name])),
      ...Object.fromEntries(remove.map((name, index) => [`#removed${index}`, name])),
    } as Readonly<Record<string, string>>,
    values: Object.fromEntries(Object.values(set).map((value, index) => [`:set${index}`, value])),
  };
};
