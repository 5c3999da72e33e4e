/** A row of `resources/knowledge/units.tsv`, whose head explains the columns. */
export interface UnitRow {
  kind: 'base' | 'term' | 'count' | 'scale' | 'unit';
  /** Spellings that the reader looks for on a page; the first is the usual one. */
  printed: readonly string[];
  /** Further spellings that only conversion understands. */
  aliases: readonly string[];
  ucum: string;
  use: readonly ('column' | 'part' | 'repair')[];
  /** Groups of tests that are reported in this unit, and the rank of the unit within the group. */
  usual: Readonly<Record<string, number>>;
}
