import { isDicom } from '../../../reading/dicom/instance.ts';

/** A file type that the vault accepts, with its usual extensions. */
export interface FileKind {
  kind: 'pdf' | 'image' | 'dicom' | 'zip';
  mime: string;
  /** The first is used when the name has none of them. */
  extensions: readonly string[];
  label: string;
}

/** Number of leading bytes that identify every type. */
export const HEAD_BYTES = 4100;

const image = (mime: string, label: string, ...extensions: string[]): FileKind => ({
  kind: 'image',
  mime,
  extensions,
  label,
});
const KINDS: FileKind[] = [
  { kind: 'pdf', mime: 'application/pdf', extensions: ['pdf'], label: 'a PDF' },
  image('image/jpeg', 'a JPEG image', 'jpg', 'jpeg', 'jpe', 'jfif'),
  image('image/png', 'a PNG image', 'png'),
  image('image/tiff', 'a TIFF image', 'tif', 'tiff'),
  image('image/heic', 'a HEIC photo', 'heic', 'heif', 'hif'),
  image('image/webp', 'a WebP image', 'webp'),
  image('image/gif', 'a GIF image', 'gif'),
  image('image/avif', 'an AVIF image', 'avif'),
  { kind: 'zip', mime: 'application/zip', extensions: ['zip'], label: 'a ZIP archive' },
  { kind: 'dicom', mime: 'application/dicom', extensions: ['dcm', 'dicom', 'ima'], label: 'a DICOM image' },
];
/** MIME types of `file-type` that Hearth treats as one. */
const MIME_ALIASES: Record<string, string> = {
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
  'image/apng': 'image/png',
};

/** Readers accept a PDF whose header is within this many bytes (Adobe's PDF Reference 1.7, implementation note 13). */
const PDF_HEADER_BYTES = 1024;

const KNOWN_EXTENSIONS = new Set([
  ...KINDS.flatMap((kind) => kind.extensions),
  'svg',
  'html',
  'htm',
  'doc',
  'docx',
  'xls',
  'xlsx',
  'odt',
  'txt',
  'exe',
  'js',
  'xml',
  'rtf',
  'csv',
  'bmp',
  'eps',
  'mp4',
  'mov',
]);

/** Detects the type from the first bytes, never from the name; null for types that the vault does not accept. */
export async function detectKind(head: Uint8Array): Promise<FileKind | null> {
  // DICOM PS3.10, section 7.1: a preamble of 128 arbitrary bytes, then the prefix.
  if (head.length >= 132 && Buffer.from(head.subarray(128, 132)).toString('latin1') === 'DICM')
    return KINDS.find((kind) => kind.kind === 'dicom') ?? null;
  // TIFF 6.0, section 2: byte order and 42. The directory may be at the end of the file, beyond the head.
  if (/^(?:II\*\0|MM\0\*)/.test(Buffer.from(head.subarray(0, 4)).toString('latin1')))
    return KINDS.find((kind) => kind.mime === 'image/tiff') ?? null;
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head);
  // Old programs write DICOM without preamble and prefix.
  if (!found && isDicom(head)) return KINDS.find((kind) => kind.kind === 'dicom') ?? null;
  // Mail programs and scanners write lines before the header.
  if (!found && Buffer.from(head.subarray(0, PDF_HEADER_BYTES)).includes('%PDF-'))
    return KINDS.find((kind) => kind.kind === 'pdf') ?? null;
  const mime = found && (MIME_ALIASES[found.mime] ?? found.mime);
  return KINDS.find((kind) => kind.mime === mime) ?? null;
}

/** Lower-case extension without its dot; empty if there is none. */
export const extensionOf = (name: string): string => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';

/** False when the extension belongs to a known type other than the content's. */
export const nameFits = (name: string, kind: FileKind): boolean =>
  !KNOWN_EXTENSIONS.has(extensionOf(name)) || kind.extensions.includes(extensionOf(name));

/** The name with an extension of its type. */
export const withExtension = (name: string, kind: FileKind): string =>
  kind.extensions.includes(extensionOf(name)) ? name : `${name}.${kind.extensions[0]}`;

/** The file type of a stored MIME type. */
export const kindOfMime = (mime: string): FileKind | undefined => KINDS.find((kind) => kind.mime === mime);
