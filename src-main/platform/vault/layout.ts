import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { splitExtension } from './file-name.ts';
import { slugOf } from './slug.ts';

/** File name of the database in a vault. */
export const DATABASE_FILE = 'vault.db';
/** Holds the secret of an encrypted vault under its password and its recovery key. */
export const KEY_FILE = 'vault-key.json';
/** Folders of a vault, relative to its root. */
export const FOLDERS = {
  inbox: 'inbox',
  patients: 'patients',
  unclassified: 'unclassified',
  trash: 'trash',
  tmp: 'tmp',
  cache: 'cache',
  thumbnails: 'cache/thumbnails',
  /** Pictures of translated parts of pages. */
  regions: 'cache/regions',
  /** Encrypted files of SMART Health Links. Like the whole cache, they are in no backup. */
  healthLinks: 'cache/health-links',
  /** Files of language models, which people put there. They are in no backup. */
  models: 'models',
} as const;

/** Folders for documents; a file without a row in them was not added by Hearth. */
export const DOCUMENT_FOLDERS = [FOLDERS.inbox, FOLDERS.patients, FOLDERS.unclassified] as const;

const PRIVATE = 0o700;

/** Creates missing folders with private permissions. */
export function createFolders(root: string): void {
  mkdirSync(root, { recursive: true, mode: PRIVATE });
  chmodSync(root, PRIVATE);
  for (const folder of Object.values(FOLDERS)) mkdirSync(join(root, folder), { recursive: true, mode: PRIVATE });
}

/** The folder in which an upload waits to be read: that of the patient or of the uploader. */
export function inboxFolder(owner: { patientSlug: string } | { uploaderId: number | null }): string {
  if ('patientSlug' in owner) return `${FOLDERS.inbox}/${owner.patientSlug}`;
  return `${FOLDERS.inbox}/user-${owner.uploaderId ?? 0}`;
}

/**
 * Returns the owner of an inbox path: `inbox/elena-keller/a.pdf` → the slug, `inbox/user-3/a.pdf` → the user; null for
 * a file directly in `inbox/`.
 */
export function inboxOwner(path: string): { patientSlug: string } | { userId: number } | null {
  const parts = path.split('/');
  const folder = parts[1];
  if (parts[0] !== FOLDERS.inbox || parts.length < 3 || folder === undefined) return null;
  const user = /^user-(\d{1,15})$/.exec(folder);
  return user ? { userId: Number(user[1]) } : { patientSlug: folder };
}

/** Values that determine the folder of a document. Dates are YYYY-MM-DD. */
export interface DocumentPlace {
  patientSlug: string | null;
  eventDate: string | null;
  eventSlug: string | null;
  uploaderId: number | null;
}

/** `patients/{slug}/{year}[/{event-slug}]`, or `unclassified/user-{id}` as long as no patient is known. */
export function documentFolder(place: DocumentPlace): string {
  if (place.patientSlug === null) return `${FOLDERS.unclassified}/user-${place.uploaderId ?? 0}`;
  const year = /^(\d{4})-/.exec(place.eventDate ?? '')?.[1] ?? 'unknown';
  const base = `${FOLDERS.patients}/${place.patientSlug}/${year}`;
  return place.eventSlug === null ? base : `${base}/${place.eventSlug}`;
}

/** The owner of an imaging study. */
export type StudyPlace = Pick<DocumentPlace, 'patientSlug' | 'uploaderId'>;

/** The folder above all studies of an owner: `patients/{slug}`, or `unclassified/user-{id}`. */
export const studyFolder = ({ patientSlug, uploaderId }: StudyPlace): string =>
  patientSlug === null ? `${FOLDERS.unclassified}/user-${uploaderId ?? 0}` : `${FOLDERS.patients}/${patientSlug}`;

/** The folder of a year in it, `unknown` without a date. */
export const studyYear = (owner: string, date: string | null): string =>
  `${owner}/${/^(\d{4})-/.exec(date ?? '')?.[1] ?? 'unknown'}`;

/**
 * `{YYYYMMDD}_{stem}.{ext}`: generated stem, otherwise document type, otherwise `document`; `ext` with or without its
 * dot.
 */
export function documentName(parts: {
  eventDate: string | null;
  stem: string | null;
  docType: string | null;
  ext: string;
}): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(parts.eventDate ?? '') ? parts.eventDate!.replaceAll('-', '') : '00000000';
  const typeName = (parts.docType ?? 'document').replaceAll('_', '-');
  // Underscores separate the parts of a generated stem: "lab-test_synlabor-mittelland".
  const stem = (parts.stem ?? '')
    .split('_')
    .map((piece) => slugOf(piece, ''))
    .filter((piece) => piece !== '')
    .join('_')
    .slice(0, 60)
    .replace(/[-_]+$/, '');
  const extension = slugOf(parts.ext.replace(/^\./, ''), '');
  return `${day}_${stem || slugOf(typeName, 'document')}${extension && `.${extension}`}`;
}

/** `a.pdf` and 3 → `a-3.pdf`; 1 is the name itself. */
export function numberedName(name: string, n: number): string {
  const [stem, extension] = splitExtension(name);
  return n === 1 ? name : `${stem}-${n}${extension}`;
}
