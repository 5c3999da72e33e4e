import { listed, readTable } from '../src-main/reading/knowledge/table.ts';

/** The TypeScript table that `src-shared/medical` imports, from the text of `resources/knowledge/units.tsv`. */
export function unitTableSource(tsv: string): string {
  const rows = readTable(tsv, ['kind', 'printed', 'ucum', 'use', 'usual']).map((row) => {
    const spellings = listed(row.printed);
    return JSON.stringify({
      kind: row.kind,
      printed: spellings.filter((spelling) => !spelling.startsWith('~')),
      aliases: spellings.flatMap((spelling) => (spelling.startsWith('~') ? [spelling.slice(1)] : [])),
      ucum: row.ucum,
      use: listed(row.use),
      usual: Object.fromEntries(
        listed(row.usual).map((item) => {
          const [group = '', rank] = item.split(':');
          return [group, Number(rank)];
        }),
      ),
    });
  });
  return `// Generated from resources/knowledge/units.tsv by \`npm run generate\`.
import type { UnitRow } from '../unit-row.ts';

export const UNIT_TABLE: readonly UnitRow[] = [
${rows.map((row) => `  ${row},\n`).join('')}];
`;
}
