/** Larger distances suggest names that have nothing in common with the text. */
const EDITS_MAX = 2;

/** The Levenshtein distance: inserted, removed and replaced characters. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, character] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = Number(row[column]) + Number(character !== other);
      next.push(Math.min(replaced, Number(next[column]) + 1, Number(row[column + 1]) + 1));
    }
    row = next;
  }
  return Number(row.at(-1));
};

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The name that a mistyped text most likely means, ignoring case and punctuation. Undefined if none is near. */
export const closestName = (text: string, names: readonly string[]): string | undefined => {
  const letters = lettersOf(text);
  const [closest] = names
    .map((name) => ({ name, edits: distance(letters, lettersOf(name)) }))
    .filter(({ edits }) => edits <= EDITS_MAX)
    .toSorted((one, other) => one.edits - other.edits);
  return closest?.name;
};
