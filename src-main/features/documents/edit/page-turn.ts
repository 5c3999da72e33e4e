import { gunzipSync } from 'node:zlib';
import type { PageText, PageTurn } from '../../../../src-shared/medical/page.ts';
import type { DocumentRecord, WriteRepository } from '../write-repository.ts';

/** The rotation that shows a page upright: the user's choice, otherwise the detected one. */
export function turnOfPage(
  repository: WriteRepository,
  row: Pick<DocumentRecord, 'id' | 'page_turns'>,
  page: number,
): PageTurn {
  const userTurn = row.page_turns?.[String(page)];
  if (userTurn !== undefined) return userTurn as PageTurn;
  const data = repository.page(row.id, page);
  return data ? (JSON.parse(gunzipSync(data).toString()) as PageText).turn : 0;
}
