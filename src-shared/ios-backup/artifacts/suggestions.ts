import type { RowsByTable } from '../../contract/phone-backups/artifact-table.ts';
import type { Suggestion } from '../../contract/phone-backups/service.ts';
import type { EntryPage, EntryQuery } from '../manifest/entry-index.ts';
import type { Picture } from './document-candidates.ts';
import { looksMedical } from './looks-medical.ts';
import {
  candidatesInChatMessage,
  candidatesOfEntry,
  candidatesInMessage,
  candidatesInNote,
  candidatesOfPhoto,
  type Candidate,
} from './medical-candidates.ts';

const MIN_LIKELIHOOD = 0.3;
/** Rows considered per table, newest first. */
const MAX_ROWS = 20_000;

/** Tables whose rows may have files. */
export type TableWithFiles = 'messages' | 'chat_messages' | 'notes' | 'photos';

/** The source of suggestions: the index of the service, or the one in the memory of the page's worker. */
export interface SuggestionSource {
  /** At most `limit` rows that may have files, newest first; none before the artifact was indexed. */
  rows<T extends TableWithFiles>(
    table: T,
    limit: number,
  ): Promise<readonly RowsByTable[T][]> | readonly RowsByTable[T][];
  entries(query: EntryQuery): Promise<EntryPage>;
  /** Classifies images and returns how much each looks like a printed page; null if it was not classified. */
  classify(pictures: readonly Picture[]): Promise<(fileId: string) => number | null>;
  /** Ids of the documents that were created from files of this backup. */
  sent: ReadonlyMap<string, number>;
}

const newestFirst = (a: { at: string | null }, b: { at: string | null }): number =>
  (b.at ?? '').localeCompare(a.at ?? '');

/**
 * Lists files of a backup that look like medical documents, most likely first: attachments, scans, photos, and the PDFs
 * of the manifest.
 */
export async function suggest(source: SuggestionSource): Promise<Suggestion[]> {
  const candidates = await findCandidates(source);
  const likelihoodOf = await source.classify(
    candidates.filter(({ mime, isScan }) => mime.startsWith('image/') && !isScan).sort(newestFirst),
  );
  return candidates
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
        ...looksMedical({ ...candidate, documentLikelihood: likelihoodOf(file_id) }),
        document_id: source.sent.get(file_id) ?? null,
      };
    })
    .filter(({ likelihood }) => likelihood >= MIN_LIKELIHOOD)
    .sort((a, b) => b.likelihood - a.likelihood || newestFirst(a, b) || a.file_id.localeCompare(b.file_id));
}

/** Finds each file once, with the facts of the first row that mentions it. */
async function findCandidates({ rows, entries }: SuggestionSource): Promise<Candidate[]> {
  const candidates = [
    ...(await rows('messages', MAX_ROWS)).flatMap(candidatesInMessage),
    ...(await rows('chat_messages', MAX_ROWS)).flatMap(candidatesInChatMessage),
    ...(await rows('notes', MAX_ROWS)).flatMap(candidatesInNote),
    ...(await rows('photos', MAX_ROWS)).flatMap(candidatesOfPhoto),
    ...(await entries({ pathLike: '%.pdf', limit: MAX_ROWS })).items.flatMap(candidatesOfEntry),
  ];
  const byFile = new Map<string, Candidate>();
  for (const candidate of candidates) if (!byFile.has(candidate.file_id)) byFile.set(candidate.file_id, candidate);
  return [...byFile.values()];
}
