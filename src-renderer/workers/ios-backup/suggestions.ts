import type { Attachment } from '../../../src-shared/contract/phone-artifacts.ts';
import type { Suggestion } from '../../../src-shared/contract/phone-backups.ts';
import { looksMedical, type Clues } from '../../../src-shared/ios-backup/artifacts/looks-medical.ts';
import type { UnlockedBackup } from '../../../src-shared/ios-backup/index.ts';
import type { ArtifactStore } from './artifact-store.ts';

const WORTH_SHOWING = 0.3;
/** More PDFs than this are not looked at. */
const LOOKED_AT = 20_000;
/** Files that apps keep and no person made a document of. */
const OF_APPS = /(^|\/)(Caches?|tmp|WebKit|Logs?|Preferences)\//i;
const TYPES: Readonly<Record<string, string>> = { pdf: 'application/pdf', jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', heic: 'image/heic', heif: 'image/heif', tif: 'image/tiff', tiff: 'image/tiff', webp: 'image/webp' };
const typeOf = (name: string): string | null => TYPES[/\.([a-z0-9]{2,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? null;
const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

type Candidate = Clues & Pick<Suggestion, 'file_id' | 'relative_path' | 'domain' | 'size_bytes' | 'at' | 'title'>;

/** Files that look like medical documents, most likely first: what was attached, scanned or photographed, and the PDFs of the manifest. */
export async function suggest(backup: UnlockedBackup, store: ArtifactStore): Promise<Suggestion[]> {
  const candidates = new Map<string, Candidate>();
  const take = (candidate: Omit<Candidate, 'paper' | 'mime'> & { mime: string | null }): void => {
    const { mime } = candidate;
    if (mime !== null && (mime === 'application/pdf' || mime.startsWith('image/')) && !candidates.has(candidate.file_id)) candidates.set(candidate.file_id, { ...candidate, mime, paper: null });
  };
  const attached = (part: Attachment, more: Pick<Candidate, 'origin' | 'domain' | 'sender' | 'text' | 'at'>): void => {
    const name = part.filename ?? (part.relative_path === null ? null : nameOf(part.relative_path));
    if (part.file_id !== null && part.relative_path !== null && name !== null) take({ file_id: part.file_id, relative_path: part.relative_path, filename: name, mime: typeOf(name) ?? part.mime_type, size_bytes: part.size_bytes ?? 0, title: more.text, isScan: false, ...more });
  };
  for (const row of await store.rows('messages')) for (const part of row.attachments) attached(part, { origin: 'message', domain: 'MediaDomain', sender: row.sender_name ?? row.sender, text: row.text, at: row.sent_at });
  for (const row of await store.rows('chat_messages')) for (const part of row.attachments) attached(part, { origin: 'whatsapp', domain: 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared', sender: row.sender_name ?? row.sender, text: row.text, at: row.sent_at });
  for (const row of await store.rows('notes')) {
    for (const { kind, title, file_id: fileId, relative_path: path } of row.attachments) {
      if (fileId === null || path === null || !['scan', 'pdf', 'image'].includes(kind)) continue;
      take({ file_id: fileId, relative_path: path, domain: 'AppDomainGroup-group.com.apple.notes', filename: title && kind === 'scan' ? `${title}${/\.[^.]+$/.exec(path)?.[0] ?? ''}` : nameOf(path), mime: typeOf(path), size_bytes: 0, origin: 'note', sender: null, text: [row.title, row.body].filter(Boolean).join('\n'), title: row.title, isScan: kind === 'scan', at: row.last_modified_at ?? row.created_at });
    }
  }
  for (const row of await store.rows('photos')) {
    if (row.media_type !== 'photo' || row.file_id === null || row.relative_path === null) continue;
    take({ file_id: row.file_id, relative_path: row.relative_path, domain: 'CameraRollDomain', filename: row.original_filename ?? nameOf(row.relative_path), mime: typeOf(row.relative_path), size_bytes: row.metadata.size_bytes ?? 0, origin: 'photo', sender: null, text: row.metadata.albums.join('\n'), title: row.metadata.albums[0] ?? null, isScan: false, at: row.taken_at });
  }
  const { items } = await backup.entries({ pathLike: '%.pdf', limit: LOOKED_AT });
  for (const { fileId, domain, relativePath, size, modifiedAt, kind } of items) {
    if (kind === 'file' && !OF_APPS.test(relativePath)) take({ file_id: fileId, domain, relative_path: relativePath, size_bytes: size ?? 0, filename: nameOf(relativePath), mime: 'application/pdf', origin: 'file', sender: null, text: null, title: null, isScan: false, at: modifiedAt === null ? null : new Date(modifiedAt * 1000).toISOString().slice(0, 19) });
  }
  return [...candidates.values()].map((candidate): Suggestion => {
    const { file_id, filename, relative_path, domain, origin, mime, size_bytes, at, title, sender } = candidate;
    return { file_id, filename, relative_path, domain, origin, mime_type: mime, size_bytes, at, title, sender, ...looksMedical(candidate), document_id: null };
  }).filter(({ likelihood }) => likelihood >= WORTH_SHOWING).sort((a, b) => b.likelihood - a.likelihood || (b.at ?? '').localeCompare(a.at ?? '') || a.file_id.localeCompare(b.file_id));
}
