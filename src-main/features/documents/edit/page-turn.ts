import { gunzipSync } from 'node:zlib';
import type { PageText, PageTurn } from '../../../../src-shared/medical/page.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

/** How a page must be turned to be seen upright: as a person wanted it, else as the reader found it. */
export function turnOfPage(
  repository: WriteRepository,
  row: Pick<DocumentRecord, 'id' | 'page_turns'>,
  page: number,
): PageTurn {
  const wanted = row.page_turns?.[String(page)];
  if (wanted !== undefined) return wanted as PageTurn;
  const data = repository.page(row.id, page);
  return data ? (JSON.parse(gunzipSync(data).toString()) as PageText).turn : 0;
}
