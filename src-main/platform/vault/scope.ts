import { DOCUMENT_FOLDERS, FOLDERS } from './layout.ts';

/** Whose a folder is by its name: a patient's, by slug, or a user's; null above these, where everybody meets. */
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

export const depthOf = (path: string): number => path.split('/').length;

/** True below the folders that hold documents; everything else of a vault is Hearth's own. */
export const isInDocumentFolder = (path: string): boolean =>
  (DOCUMENT_FOLDERS as readonly string[]).includes(path.split('/')[0] ?? '');

/** True for what a person may move away: below a patient's or user's folder, or a file that lies loose in the inbox. */
export const isMovable = (path: string, type: 'dir' | 'file'): boolean =>
  isInDocumentFolder(path) && depthOf(path) >= (type === 'dir' ? 3 : 2);

/** True where something may be put: below a patient's or user's folder. What is put into the inbox would be read once more. */
export const isDestination = (path: string): boolean =>
  isInDocumentFolder(path) && !path.startsWith(`${FOLDERS.inbox}/`) && depthOf(path) >= 3;
