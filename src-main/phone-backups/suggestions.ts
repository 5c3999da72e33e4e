import type { Attachment } from '../../src-shared/contract/phone-artifacts.ts';
import type { Suggestion } from '../../src-shared/contract/phone-backups.ts';
import { looksMedical, type Clues } from '../../src-shared/ios-backup/artifacts/looks-medical.ts';
import { toTimestamp } from '../kernel/clock.ts';
import type { IndexReader } from './index-read.repository.ts';
import type { OpenThread } from './open-thread.ts';
import type { Picture } from './paper.ts';

const WORTH_SHOWING = 0.3;
/** More attachments than this are looked at from the newest on. */
const LOOKED_AT = 20_000;
const NO_PAGE = { offset: 0, limit: LOOKED_AT };
/** Files that apps keep and no person made a document of. */
const OF_APPS = /(^|\/)(Caches?|tmp|WebKit|Logs?|Preferences)\//i;

interface Candidate extends Clues { file_id: string; relative_path: string; domain: string; size_bytes: number; at: string | null; title: string | null }

const mimeOf = (name: string): string | null => {
  const extension = /\.([a-z0-9]{2,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const types: Record<string, string> = { pdf: 'application/pdf', jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', heic: 'image/heic', heif: 'image/heif', tif: 'image/tiff', tiff: 'image/tiff', webp: 'image/webp' };
  return types[extension] ?? null;
};
const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

/** Files of a backup that look like medical documents, most likely first: PDFs of the manifest, and what the index knows of attachments, scans and photos. */
export async function suggest(thread: OpenThread, reader: IndexReader | null, sent: ReadonlyMap<string, number>, lookAt: (pictures: readonly Picture[]) => Promise<(fileId: string) => number | null>): Promise<Suggestion[]> {
  const candidates = new Map<string, Candidate>();
  const take = (candidate: Candidate): void => { if (!candidates.has(candidate.file_id)) candidates.set(candidate.file_id, candidate); };
  if (reader) ofIndex(reader, take);
  const { items } = await thread.call('entries', { pathLike: '%.pdf', limit: LOOKED_AT });
  for (const { fileId, domain, relativePath, size, modifiedAt, kind } of items) {
    if (kind !== 'file' || OF_APPS.test(relativePath)) continue;
    take({ file_id: fileId, domain, relative_path: relativePath, size_bytes: size ?? 0, filename: nameOf(relativePath), mime: 'application/pdf', origin: 'file', sender: null, text: null, title: null, isScan: false, paper: null, at: modifiedAt === null ? null : toTimestamp(modifiedAt * 1000) });
  }
  const pictures = [...candidates.values()].filter(({ mime, isScan }) => mime.startsWith('image/') && !isScan).sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
  const paperOf = await lookAt(pictures);
  return [...candidates.values()].map((candidate): Suggestion => {
    const { filename, relative_path, domain, origin, mime, size_bytes, at, title, sender, file_id } = candidate;
    return { file_id, filename, relative_path, domain, origin, mime_type: mime, size_bytes, at, title, sender, ...looksMedical({ ...candidate, paper: paperOf(file_id) }), document_id: sent.get(file_id) ?? null };
  }).filter(({ likelihood }) => likelihood >= WORTH_SHOWING).sort((a, b) => b.likelihood - a.likelihood || (b.at ?? '').localeCompare(a.at ?? '') || a.file_id.localeCompare(b.file_id));
}

function ofIndex(reader: IndexReader, take: (candidate: Candidate) => void): void {
  const attached = (attachment: Attachment, more: Pick<Candidate, 'origin' | 'sender' | 'text' | 'at' | 'domain' | 'title'>): void => {
    const { file_id, relative_path, filename, mime_type, size_bytes } = attachment;
    const name = filename ?? (relative_path === null ? null : nameOf(relative_path));
    const mime = name === null ? null : mimeOf(name) ?? mime_type;
    if (file_id === null || relative_path === null || name === null || mime === null || !(mime === 'application/pdf' || mime.startsWith('image/'))) return;
    take({ file_id, relative_path, filename: name, mime, size_bytes: size_bytes ?? 0, isScan: false, paper: null, ...more });
  };
  const withFiles = { where: [{ sql: 't.has_attachments = 1', values: [] }], order: 't.sent_at DESC, t.id' };
  for (const row of reader.list('messages', NO_PAGE, withFiles).items) for (const part of row.attachments) attached(part, { origin: 'message', sender: row.sender_name ?? row.sender, text: row.text, at: row.sent_at, domain: 'MediaDomain', title: row.text });
  for (const row of reader.list('chat_messages', NO_PAGE, withFiles).items) for (const part of row.attachments) attached(part, { origin: 'whatsapp', sender: row.sender_name ?? row.sender, text: row.text, at: row.sent_at, domain: 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared', title: row.text });
  for (const row of reader.list('notes', NO_PAGE).items) {
    for (const part of row.attachments) {
      if (part.file_id === null || part.relative_path === null || !['scan', 'pdf', 'image'].includes(part.kind)) continue;
      const mime = mimeOf(part.relative_path);
      if (mime === null) continue;
      take({ file_id: part.file_id, relative_path: part.relative_path, domain: 'AppDomainGroup-group.com.apple.notes', filename: part.title && part.kind === 'scan' ? `${part.title}${/\.[^.]+$/.exec(part.relative_path)?.[0] ?? ''}` : nameOf(part.relative_path), mime, size_bytes: 0, origin: 'note', sender: null, text: [row.title, row.body].filter(Boolean).join('\n'), title: row.title, isScan: part.kind === 'scan', paper: null, at: row.last_modified_at ?? row.created_at });
    }
  }
  for (const row of reader.list('photos', NO_PAGE, { where: [{ sql: "t.media_type = 'photo' AND t.file_id IS NOT NULL", values: [] }] }).items) {
    const mime = row.relative_path === null ? null : mimeOf(row.relative_path);
    if (row.file_id === null || row.relative_path === null || mime === null) continue;
    take({ file_id: row.file_id, relative_path: row.relative_path, domain: 'CameraRollDomain', filename: row.original_filename ?? nameOf(row.relative_path), mime, size_bytes: row.metadata.size_bytes ?? 0, origin: 'photo', sender: null, text: row.metadata.albums.join('\n'), title: row.metadata.albums[0] ?? null, isScan: false, paper: null, at: row.taken_at });
  }
}
