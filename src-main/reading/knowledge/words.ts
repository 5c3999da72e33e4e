import { readResource } from './load.ts';
import { readTable } from './table.ts';

/**
 * Loads the word list `resources/knowledge/words/<name>.tsv` by group, in file order. Called once per list, when a
 * module loads. Throws for a group without words and for a group that the caller doesn't know.
 */
export function loadWords<Group extends string>(
  name: string,
  groups: readonly Group[],
): Record<Group, readonly string[]> {
  const words = Object.fromEntries(groups.map((group) => [group, [] as string[]])) as Record<Group, string[]>;
  for (const row of readTable(readResource(`words/${name}.tsv`), ['group', 'word'])) {
    const list = (words as Record<string, string[] | undefined>)[row.group];
    if (!list) throw new Error(`words/${name}.tsv: unknown group ${row.group}`);
    list.push(row.word);
  }
  for (const group of groups)
    if (words[group].length === 0) throw new Error(`words/${name}.tsv: group ${group} has no words`);
  return words;
}
