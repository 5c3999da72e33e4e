import type { RowsByTable } from '../../contract/phone-backups/artifact-table.ts';
import type { Attachment } from '../../contract/phone-backups/artifacts.ts';
import type { Suggestion } from '../../contract/phone-backups/service.ts';
import type { Entry } from '../manifest/entry.ts';
import type { Clues } from './looks-medical.ts';
import { toTime } from './column-values.ts';

/** Files that apps keep and no person made a document of. */
const OF_APPS = /(^|\/)(Caches?|tmp|WebKit|Logs?|Preferences)\//i;
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
const SHOWN_IN_NOTES: readonly string[] = ['scan', 'pdf', 'image'];

/** A file that may be a medical document, with the facts known before it is opened. */
export type Candidate = Omit<Clues, 'paper'> &
  Pick<Suggestion, 'file_id' | 'relative_path' | 'domain' | 'size_bytes' | 'at' | 'title'>;
type Message = RowsByTable['messages'];

const extensionOf = (name: string): string => /\.[a-z0-9]{2,5}$/i.exec(name)?.[0] ?? '';
const typeOf = (name: string): string | null => TYPES[extensionOf(name).slice(1).toLowerCase()] ?? null;
const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

function ofAttachment(
  { file_id, relative_path, filename, mime_type, size_bytes }: Attachment,
  { sender, sender_name, text, sent_at }: Message,
  where: Pick<Candidate, 'origin' | 'domain'>,
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
      ...where,
    },
  ];
}

export const ofMessage = (row: Message): Candidate[] =>
  row.attachments.flatMap((part) => ofAttachment(part, row, { origin: 'message', domain: 'MediaDomain' }));
export const ofChatMessage = (row: Message): Candidate[] =>
  row.attachments.flatMap((part) =>
    ofAttachment(part, row, { origin: 'whatsapp', domain: 'AppDomainGroup-group.net.whatsapp.WhatsApp.shared' }),
  );

export const ofNote = (row: RowsByTable['notes']): Candidate[] =>
  row.attachments.flatMap(({ kind, title, file_id, relative_path, recognised_text: recognised }) => {
    const mime = relative_path === null ? null : typeOf(relative_path);
    if (file_id === null || relative_path === null || mime === null || !SHOWN_IN_NOTES.includes(kind)) return [];
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
        text: [row.title, row.body, recognised].filter(Boolean).join('\n'),
        title: row.title,
        isScan,
        at: row.last_modified_at ?? row.created_at,
      },
    ];
  });

export function ofPhoto({
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

/** Makes a candidate from a PDF of the manifest. */
export function ofEntry({ fileId, domain, relativePath, size, modifiedAt, kind }: Entry): Candidate[] {
  if (kind !== 'file' || OF_APPS.test(relativePath)) return [];
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
