import { DOCUMENT_FOLDERS, FOLDERS } from './layout.ts';

/** The owner of a folder by its name: a patient (slug) or a user; null above those folders. */
export type Scope = { patientSlug: string } | { userId: number } | null;

/** `patients/elena-keller/2024/a.pdf` → her slug; `unclassified/user-3/a.pdf` → user 3; `inbox` → null. */
export function scopeOf(path: string): Scope {
  const [top, owner] = path.split('/');
  if (owner === undefined) return null;
  if (top === FOLDERS.patients) return { patientSlug: owner };
  const user = /^user-(\d{1,15})$/.exec(owner);
  if (user) return { userId: Number(user[1]) };
  return top === FOLDERS.inbox ? { patientSlug: owner } : null;
}

/** The number of names in a path of the vault. */
export const depthOf = (path: string): number => path.split('/').length;

/** Whether a path is below the folders for documents; Hearth manages the rest of the vault. */
export const isInDocumentFolder = (path: string): boolean =>
  (DOCUMENT_FOLDERS as readonly string[]).includes(path.split('/')[0] ?? '');

/** Whether users can move a path: it is below a patient's or user's folder, or a file directly in the inbox. */
export const isMovable = (path: string, type: 'dir' | 'file'): boolean =>
  isInDocumentFolder(path) && depthOf(path) >= (type === 'dir' ? 3 : 2);

/**
 * Whether a folder accepts moved files: it is below a patient's or user's folder. The inbox would import them again.
 */
export const isDestination = (path: string): boolean =>
  isInDocumentFolder(path) && !path.startsWith(`${FOLDERS.inbox}/`) && depthOf(path) >= 3;
