import type { Database } from '../../../platform/database/connection.ts';

/** Rows of a document that follow its imaging study to the report. */
const FOLLOWING = [
  'imaging_studies',
  'lab_results',
  'encounters',
  'medications',
  'vaccinations',
  'invoice_items',
  'extraction_corrections',
] as const;

/** Gives the rows and links of one document to another one. Part of the caller's transaction. */
export function moveRows(db: Database, from: number, to: number): void {
  for (const table of FOLLOWING) db.prepare(`UPDATE ${table} SET document_id = ? WHERE document_id = ?`).run(to, from);
  moveLinks(db, from, to);
}

/** Links in both directions, unless the report is at their other end or has the same ones. */
function moveLinks(db: Database, from: number, to: number): void {
  for (const [own, other] of [
    ['source_document_id', 'target_document_id'],
    ['target_document_id', 'source_document_id'],
  ])
    db.prepare(`UPDATE OR IGNORE document_links SET ${own} = @to WHERE ${own} = @from AND ${other} <> @to`).run({
      from,
      to,
    });
}
