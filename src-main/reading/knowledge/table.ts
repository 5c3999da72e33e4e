/**
 * Parses a table of the knowledge base. Lines that start with `# ` are comments, the first other line names the
 * columns, and fields are separated by tabs. Lists within a field are separated by `;`. Rows are keyed by column name;
 * missing fields at the end are empty.
 */
export function readTable<Column extends string>(text: string, columns: readonly Column[]): Record<Column, string>[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
  const head = (lines[0] ?? '').split('\t');
  const at = columns.map((column) => {
    const index = head.indexOf(column);
    if (index < 0) throw new Error(`the table has no column ${column}`);
    return index;
  });
  return lines.slice(1).map((line) => {
    const fields = line.split('\t');
    const row = {} as Record<Column, string>;
    for (const [i, column] of columns.entries()) row[column] = fields[at[i] ?? 0] ?? '';
    return row;
  });
}

/** The items of a list field. */
export const listed = (field: string): string[] =>
  field === ''
    ? []
    : field
        .split(';')
        .map((item) => item.trim())
        .filter((item) => item !== '');
