import type { Suggestion } from '../../contract/phone-backups/service.ts';
import type { EntryPage, EntryQuery } from '../manifest/entry-index.ts';
import { looksMedical } from './looks-medical.ts';
import { ofChatMessage, ofEntry, ofMessage, ofNote, ofPhoto, type Candidate } from './medical-candidates.ts';
import type { Picture } from './document-candidates.ts';
import type { RowsByTable } from './source.ts';

const WORTH_SHOWING = 0.3;
/** More rows of a kind than this are not looked at; the newest are. */
const LOOKED_AT = 20_000;

type Looked = 'messages' | 'chat_messages' | 'notes' | 'photos';

/** What the list is made of: the service has it in its index, the page in the memory of its worker. */
export interface SuggestionSource {
  /** At most `most` rows that may hold files, newest first; none where nothing was read yet. */
  rows<T extends Looked>(table: T, most: number): Promise<readonly RowsByTable[T][]> | readonly RowsByTable[T][];
  entries(query: EntryQuery): Promise<EntryPage>;
  /** Looks at pictures, the first ones first, and tells how much each looks like paper; null where nobody looked. */
  lookAt(pictures: readonly Picture[]): Promise<(fileId: string) => number | null>;
  /** Documents that files of this backup became. */
  sent: ReadonlyMap<string, number>;
}

const newestFirst = (a: { at: string | null }, b: { at: string | null }): number =>
  (b.at ?? '').localeCompare(a.at ?? '');

/** Files of a backup that look like medical documents, most likely first: what was attached, scanned or photographed, and the PDFs of the manifest. */
export async function suggest({ rows, entries, lookAt, sent }: SuggestionSource): Promise<Suggestion[]> {
  const found = [
    ...(await rows('messages', LOOKED_AT)).flatMap(ofMessage),
    ...(await rows('chat_messages', LOOKED_AT)).flatMap(ofChatMessage),
    ...(await rows('notes', LOOKED_AT)).flatMap(ofNote),
    ...(await rows('photos', LOOKED_AT)).flatMap(ofPhoto),
    ...(await entries({ pathLike: '%.pdf', limit: LOOKED_AT })).items.flatMap(ofEntry),
  ];
  const candidates = new Map<string, Candidate>();
  for (const candidate of found) if (!candidates.has(candidate.file_id)) candidates.set(candidate.file_id, candidate);
  const paperOf = await lookAt(
    [...candidates.values()].filter(({ mime, isScan }) => mime.startsWith('image/') && !isScan).sort(newestFirst),
  );
  return [...candidates.values()]
    .map((candidate): Suggestion => {
      const { file_id, filename, relative_path, domain, origin, mime, size_bytes, at, title, sender } = candidate;
      return {
        file_id,
        filename,
        relative_path,
        domain,
        origin,
        mime_type: mime,
        size_bytes,
        at,
        title,
        sender,
        ...looksMedical({ ...candidate, paper: paperOf(file_id) }),
        document_id: sent.get(file_id) ?? null,
      };
    })
    .filter(({ likelihood }) => likelihood >= WORTH_SHOWING)
    .sort((a, b) => b.likelihood - a.likelihood || newestFirst(a, b) || a.file_id.localeCompare(b.file_id));
}
