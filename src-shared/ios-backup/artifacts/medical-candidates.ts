import type { RowsByTable } from '../../contract/phone-backups/artifact-table.ts';
import type { Attachment } from '../../contract/phone-backups/artifacts.ts';
import type { Suggestion } from '../../contract/phone-backups/service.ts';
import type { Entry } from '../manifest/entry.ts';
import type { Clues } from './looks-medical.ts';
import { toTime } from './column-values.ts';

/** Folders in which apps store their own files, not documents. */
const APP_FOLDERS = /(^|\/)(Caches?|tmp|WebKit|Logs?|Preferences)\//i;
const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  heic: 'image/heic',
  heif: 'image/heif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
};
/** Kinds of note attachments that may be documents. */
const NOTE_KINDS: readonly string[] = ['scan', 'pdf', 'image'];

/** A file that may be a medical document, with the facts known before it is opened. */
export type Candidate = Omit<Clues, 'documentLikelihood'> &
  Pick<Suggestion, 'file_id' | 'relative_path' | 'domain' | 'size_bytes' | 'at' | 'title'>;
type Message = RowsByTable['messages'];

const extensionOf = (name: string): string => /\.[a-z0-9]{2,5}$/i.exec(name)?.[0] ?? '';
const typeOf = (name: string): string | null => TYPES[extensionOf(name).slice(1).toLowerCase()] ?? null;
const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

function candidatesOfAttachment(
  { file_id, relative_path, filename, mime_type, size_bytes }: Attachment,
  { sender, sender_name, text, sent_at }: Message,
  origin: Pick<Candidate, 'origin' | 'domain'>,
): Candidate[] {
  if (file_id === null || relative_path === null) return [];
  const name = filename ?? nameOf(relative_path),
    mime = typeOf(name) ?? mime_type;
  if (mime === null || !(mime === 'application/pdf' || mime.startsWith('image/'))) return [];
  return [
    {
      file_id,
      relative_path,
      filename: name,
      mime,
      size_bytes: size_bytes ?? 0,
      sender: sender_name ?? sender,
      text,
      title: text,
      isScan: false,
      at: sent_at,
      ...origin,
    },
  ];
}

/** Attachments of a message that may be documents. */
export const candidatesInMessage = (row: Message): Candidate[] =>
  row.attachments.flatMap((part) => candidatesOfAttachment(part, row, { origin: 'message', domain: 'MediaDomain' }));
/** Attachments of a WhatsApp message that may be documents. */
export const candidatesInChatMessage = (row: Message): Candidate[] =>
  row.attachments.flatMap((part) =>
    candidatesOfAttachment(part, row, {
      origin: 'whatsapp',
      domain: 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared',
    }),
  );

/** Scans, PDFs and images in a note. */
export const candidatesInNote = (row: RowsByTable['notes']): Candidate[] =>
  row.attachments.flatMap(({ kind, title, file_id, relative_path, recognised_text: recognizedText }) => {
    const mime = relative_path === null ? null : typeOf(relative_path);
    if (file_id === null || relative_path === null || mime === null || !NOTE_KINDS.includes(kind)) return [];
    const isScan = kind === 'scan';
    return [
      {
        file_id,
        relative_path,
        domain: 'AppDomainGroup-group.com.apple.notes',
        filename: title && isScan ? `${title}${extensionOf(relative_path)}` : nameOf(relative_path),
        mime,
        size_bytes: 0,
        origin: 'note' as const,
        sender: null,
        text: [row.title, row.body, recognizedText].filter(Boolean).join('\n'),
        title: row.title,
        isScan,
        at: row.last_modified_at ?? row.created_at,
      },
    ];
  });

/** A photo of the library; empty for videos and for photos that are not in the backup. */
export function candidatesOfPhoto({
  media_type,
  file_id,
  relative_path,
  original_filename,
  taken_at,
  metadata: { albums, size_bytes },
}: RowsByTable['photos']): Candidate[] {
  const mime = relative_path === null ? null : typeOf(relative_path);
  if (media_type !== 'photo' || file_id === null || relative_path === null || mime === null) return [];
  return [
    {
      file_id,
      relative_path,
      domain: 'CameraRollDomain',
      filename: original_filename ?? nameOf(relative_path),
      mime,
      size_bytes: size_bytes ?? 0,
      origin: 'photo',
      sender: null,
      text: albums.join('\n'),
      title: albums[0] ?? null,
      isScan: false,
      at: taken_at,
    },
  ];
}

/** A PDF of the manifest; empty for files that belong to an app. */
export function candidatesOfEntry({ fileId, domain, relativePath, size, modifiedAt, kind }: Entry): Candidate[] {
  if (kind !== 'file' || APP_FOLDERS.test(relativePath)) return [];
  return [
    {
      file_id: fileId,
      domain,
      relative_path: relativePath,
      size_bytes: size ?? 0,
      filename: nameOf(relativePath),
      mime: 'application/pdf',
      origin: 'file',
      sender: null,
      text: null,
      title: null,
      isScan: false,
      at: toTime(modifiedAt === null ? null : modifiedAt * 1000),
    },
  ];
}
