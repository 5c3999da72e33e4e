import { createHash } from 'node:crypto';
import { streamVaultFile } from '../../../platform/vault/vault-files.ts';
import { DicomError } from '../../../reading/dicom/dicom-error.ts';
import type { ReceivedFile } from '../../../platform/vault/vault.ts';
import type { StagedObject } from '../ports.ts';
import { readHeader } from './dicom-header.ts';
import type { PaperDeps } from './dicom-papers.ts';
import type { FileKind } from './file-type.ts';

/** A picture of an archive that was unpacked. */
export interface PlainImage {
  file: ReceivedFile;
  name: string;
  kind: FileKind;
}

/** A single picture says too little of what it belongs to. */
const MIN_IMAGES = 2;
/** Of decoded pixels. */
const MAX_OBJECT_BYTES = 256 * 2 ** 20;

/**
 * The pictures of an archive without DICOM objects as objects of one study, in the order of their names. Null if they
 * make none: photos and scans of paper are documents, which are read, as are other files. The same pictures give the
 * same study and the same objects.
 */
export async function wrapImages(
  deps: PaperDeps,
  files: readonly PlainImage[],
  archive: string,
): Promise<StagedObject[] | null> {
  const { vault, wrapImage } = deps;
  if (files.length < MIN_IMAGES || files.some(({ kind }) => kind.kind !== 'image')) return null;
  const sorted = files.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  const study = uidOf(
    `study ${files
      .map(({ file }) => file.hash)
      .toSorted()
      .join()}`,
  );
  const objects: StagedObject[] = [];
  const drop = (made: readonly StagedObject[]): null => {
    for (const { file } of made) vault.discard(file.path);
    return null;
  };
  try {
    for (const [at, { file }] of sorted.entries()) {
      const path = vault.temporaryPath('.dcm');
      const place = {
        ...{ study, series: uidOf(`series ${study}`), instance: uidOf(`instance ${study} ${at} ${file.hash}`) },
        ...{ number: at + 1, description: archive.replace(/\.zip$/i, '') },
      };
      if (!(await wrapImage(vault.resolve(file.path), vault.resolve(path), place))) return drop(objects);
      const limit = MAX_OBJECT_BYTES;
      const received = await vault
        .receive(streamVaultFile(vault.resolve(path)), { limit })
        .finally(() => vault.discard(path));
      objects.push({
        ...{ file: received, instance: await readHeader(vault.resolve(received.path), received.size) },
        ...{ paper: null, enclosed: null, dose: null },
      });
    }
    return objects;
  } catch (error) {
    drop(objects);
    if (error instanceof DicomError) return null;
    throw error;
  }
}

/** A UID made of a UUID (PS3.5, annex B.2). */
const uidOf = (content: string): string =>
  `2.25.${BigInt(`0x${createHash('sha256').update(content).digest('hex').slice(0, 32)}`)}`;
