import { makeZip } from 'client-zip';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import { addressOf, contract } from '../../client/api.ts';
import { sendFile } from '../../client/upload.ts';
import type { ChosenFile } from './window-drop.ts';

/** What a file would bring into the vault. */
export type Inspection = Reply<typeof contract.documents.inspect>;

/** Files that may be an imaging disc: an archive, or a folder that becomes one. */
export interface Disc {
  name: string;
  pack: (onProgress: (share: number) => void, signal: AbortSignal) => Promise<File>;
}

/** Files of a folder that are looked at to see whether it is of a disc. */
const MAX_PROBED = 50;
/** PS3.10, section 7.1: a preamble of 128 bytes, then the prefix. */
const [PREFIX_AT, PREFIX] = [128, 'DICM'];

/** Parts archives and folders of DICOM objects from files that are uploaded one by one. */
export async function findDiscs(files: readonly ChosenFile[]): Promise<{ discs: Disc[]; others: File[] }> {
  const discs: Disc[] = [];
  const others: File[] = [];
  for (const [folder, inside] of Map.groupBy(files, ({ path }) => folderOf(path))) {
    if (folder !== null && (await isOfDisc(inside))) discs.push(folderDisc(folder, inside));
    else
      for (const { file } of inside)
        if (/\.zip$/i.test(file.name)) discs.push({ name: file.name, pack: async () => file });
        else others.push(file);
  }
  return { discs, others };
}

const folderOf = (path: string): string | null => (path.includes('/') ? path.slice(0, path.indexOf('/')) : null);

async function isOfDisc(files: readonly ChosenFile[]): Promise<boolean> {
  if (files.some(({ file }) => file.name.toUpperCase() === 'DICOMDIR')) return true;
  for (const { file } of files.slice(0, MAX_PROBED)) {
    const head = await file.slice(PREFIX_AT, PREFIX_AT + PREFIX.length).text();
    if (head === PREFIX) return true;
  }
  return false;
}

/** The files of a folder as an archive, so that they stay together; the browser keeps large ones on the disk. */
const folderDisc = (folder: string, files: readonly ChosenFile[]): Disc => ({
  name: folder,
  async pack(onProgress, signal) {
    const parts = async function* (): AsyncGenerator<{ name: string; input: File; lastModified: Date }> {
      for (const [index, { file, path }] of files.entries()) {
        signal.throwIfAborted();
        onProgress(index / files.length);
        yield { name: path, input: file, lastModified: new Date(file.lastModified) };
      }
    };
    const blob = await new Response(makeZip(parts())).blob();
    return new File([blob], `${folder}.zip`, { type: 'application/zip' });
  },
});

/** Asks what a file would bring. */
export const inspect = (file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<Inspection> =>
  sendFile(addressOf(contract.documents.inspect, {}), contract.documents.inspect.file, file, onProgress, signal);
