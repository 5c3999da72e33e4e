/** A row of `resources/knowledge/units.tsv`; the file's header explains the columns. */
export interface UnitRow {
  kind: 'base' | 'term' | 'count' | 'scale' | 'unit';
  /** Spellings that are recognized on a page, the usual one first. */
  printed: readonly string[];
  /** Other spellings, which only the conversion recognizes. */
  aliases: readonly string[];
  ucum: string;
  use: readonly ('column' | 'part' | 'repair')[];
  /** Groups of tests that are reported in this unit, and the rank of the unit within the group. */
  usual: Readonly<Record<string, number>>;
}
