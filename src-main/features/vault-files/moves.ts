import { readdirSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fail } from '../../platform/kernel/errors.ts';
import { safeFileName } from '../../platform/vault/file-name.ts';
import { foldName, freeName, spellingIn } from '../../platform/vault/free-name.ts';
import { isVaultPath, lstatOrNull } from '../../platform/vault/paths.ts';
import type { FiledDocument, VaultRepository } from '../../platform/vault/repository.ts';
import { belongingOfDocument, type Belonging, type Rights } from '../../platform/access/rights.ts';
import { isDestination, isMovable } from '../../platform/vault/scope.ts';
import type { Vault } from '../../platform/vault/vault.ts';

export interface MoveDeps {
  vault: Vault;
  repository: VaultRepository;
  isReading(documentId: number): boolean;
}
export interface MoveRequest {
  from_path: string;
  to_path: string;
}
export interface PlannedMove {
  from: string;
  to: string;
  documents: FiledDocument[];
  /** The entry itself, or its files if it is moved to another disk; each is one move in the journal. */
  steps: [from: string, to: string][];
}

/** Plans a move after all its checks. Throws the errors of `POST /api/vault/move`. */
export function planMove(
  { vault, repository, isReading }: MoveDeps,
  rights: Rights,
  request: MoveRequest,
): PlannedMove {
  const from = trimmed(request.from_path);
  const source = vault.resolve(from);
  const entry = lstatOrNull(source);
  rights.requireWrite(belongingAt(repository, rights, from));
  if (entry === null) throw fail('vault.path_not_found');
  if (!entry.isDirectory() && !entry.isFile()) throw fail('vault.path_outside');
  if (!isMovable(from, entry.isDirectory() ? 'dir' : 'file')) throw fail('vault.protected_folder');
  const documents = repository.documentsBelow(from);
  for (const row of documents) rights.requireWrite(belongingOfDocument(row));
  if (documents.some((row) => isReading(row.id))) throw fail('document.busy');

  const to = target(vault, repository, {
    from,
    requestedPath: trimmed(request.to_path),
    keepExtension: entry.isFile() && documents.length > 0,
  });
  rights.requireWrite(rights.belongingOfPlace(to));
  if (to.startsWith(`${from}/`)) throw fail('vault.move_into_self');
  // Paths deep inside the folder may become too long.
  if (documents.some((row) => !isVaultPath(to + row.file_path.slice(from.length)))) throw fail('vault.path_outside');
  refuseBrokenStudies(repository, from, to);
  refuseOtherPatient(rights.belongingOfPlace(to), [
    ...documents.map(belongingOfDocument),
    ...repository.studiesBelow(from).map((study) => ({ patientId: study.patient_id, uploaderId: null })),
  ]);
  return {
    from,
    to,
    documents,
    steps:
      entry.isDirectory() && !isSameDisk(entry, vault.resolve(dirname(to)))
        ? filesBelow(source).map((path): [string, string] => [`${from}/${path}`, `${to}/${path}`])
        : [[from, to]],
  };
}

const trimmed = (path: string): string => path.replace(/\/+$/, '');

function belongingAt(repository: VaultRepository, rights: Rights, path: string): Belonging {
  const row = repository.documentAt(path);
  return row ? belongingOfDocument(row) : rights.belongingOfPlace(path);
}

/**
 * The destination: inside an existing folder, otherwise the requested path, with the spelling of existing folders and a
 * free name.
 */
function target(
  vault: Vault,
  repository: VaultRepository,
  { from, requestedPath, keepExtension }: { from: string; requestedPath: string; keepExtension: boolean },
): string {
  if (!isVaultPath(requestedPath)) throw fail('vault.path_outside');
  const isInto =
    requestedPath !== from &&
    lstatOrNull(vault.resolve(requestedPath))?.isDirectory() === true &&
    !isOtherSpelling(vault, from, requestedPath);
  const to = isInto ? `${requestedPath}/${basename(from)}` : requestedPath;
  if (!isDestination(to)) throw fail('vault.protected_folder');
  const folder = spelledFolder(vault, dirname(to));
  const name = basename(to) === basename(from) ? basename(from) : safeFileName(basename(to));
  const extension = extname(from);
  const whole = keepExtension && extname(name).toLowerCase() !== extension.toLowerCase() ? `${name}${extension}` : name;
  const own = folder === dirname(from) ? basename(from) : null;
  const free = freeName(
    vault.resolve(folder),
    whole,
    own,
    (candidate) =>
      vault.knows(`${folder}/${candidate}`) || repository.documentsBelow(`${folder}/${candidate}`).length > 0,
  );
  return `${folder}/${free}`;
}

/** Detects another spelling of the same folder, such as `patients/anna/reha` to `patients/anna/Reha`. */
const isOtherSpelling = (vault: Vault, from: string, requestedPath: string): boolean => {
  if (foldName(from) !== foldName(requestedPath)) return false;
  const [a, b] = [lstatOrNull(vault.resolve(from)), lstatOrNull(vault.resolve(requestedPath))];
  return a !== null && b !== null && a.dev === b.dev && a.ino === b.ino;
};

function spelledFolder(vault: Vault, folder: string): string {
  let path = '';
  for (const part of folder.split('/')) {
    const spelled = path === '' ? part : spellingIn(vault.resolve(path), part.normalize('NFC'));
    const isNew = path !== '' && lstatOrNull(vault.resolve(`${path}/${spelled}`)) === null;
    path = path === '' ? spelled : `${path}/${isNew ? safeFileName(spelled) : spelled}`;
  }
  const entry = lstatOrNull(vault.resolve(path));
  if (entry !== null && !entry.isDirectory()) throw fail('vault.path_outside');
  return path;
}

/** Allows only moves of a whole study, or of a series within its study. */
function refuseBrokenStudies(repository: VaultRepository, from: string, to: string): void {
  const around = repository.studyAbove(from).filter((study) => study.path !== from);
  const isSeries = repository.studyAbove(from).some((study) => study.path === from && study.series);
  const into = repository.studyAbove(dirname(to));
  const stays = isSeries && around.some((study) => into.some((other) => other.id === study.id));
  if ((around.length > 0 || into.length > 0) && !stays) throw fail('vault.part_of_study');
}

function refuseOtherPatient(place: Belonging, moved: Belonging[]): void {
  const fits = (own: Belonging): boolean =>
    own.patientId === place.patientId && (own.patientId !== null || own.uploaderId === place.uploaderId);
  if (!moved.every(fits)) throw fail('vault.patient_mismatch');
}

function isSameDisk(entry: Stats, folder: string): boolean {
  let existing = folder;
  while (lstatOrNull(existing) === null) existing = dirname(existing);
  return statSync(existing).dev === entry.dev;
}

/** Plain files below a folder, relative to it. */
const filesBelow = (absolute: string): string[] =>
  readdirSync(absolute, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return filesBelow(join(absolute, entry.name)).map((path) => `${entry.name}/${path}`);
    return entry.isFile() ? [entry.name] : [];
  });
