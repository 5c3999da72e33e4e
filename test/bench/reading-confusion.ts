/** What the confusion table needs of a document, as it is and as it was read. */
export interface TypedDocument {
  doc_type: string;
  language: string;
}

/**
 * A table of the document types that were read in place of others, by language: a row for each true type, with the
 * number of documents, the share that was read rightly, and what the others were taken for.
 */
export function confusionOf(
  truths: ReadonlyMap<string, TypedDocument>,
  readTypes: ReadonlyMap<string, string>,
): string {
  const languages = [...new Set([...truths.values()].map(({ language }) => language))].sort();
  const types = [...new Set([...truths.values()].map(({ doc_type }) => doc_type))].sort();
  const cell = (type: string, language: string): string => {
    const files = [...truths].filter(([, truth]) => truth.doc_type === type && truth.language === language);
    if (files.length === 0) return '';
    const wrong = files.flatMap(([file, truth]) => {
      const read = readTypes.get(file) ?? 'nothing';
      return read === truth.doc_type ? [] : [read];
    });
    const counts = [...new Set(wrong)].map((read) => `${wrong.filter((one) => one === read).length} ${read}`);
    return `${files.length - wrong.length}/${files.length}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`;
  };
  const rows = [['', ...languages], ...types.map((type) => [type, ...languages.map((one) => cell(type, one))])];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
