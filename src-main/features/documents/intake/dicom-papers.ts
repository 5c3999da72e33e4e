import { Readable } from 'node:stream';
import type { Database } from '../../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/errors.ts';
import { withExtension } from './file-type.ts';
import type { ReceivedFile, Vault } from '../../../platform/vault/vault.ts';
import { DicomError } from '../../../reading/dicom/dicom-error.ts';
import type { DicomInstance } from '../../../reading/dicom/instance.ts';
import type { ContentsAnswer, WrappedPlace } from '../../../reading/dicom/render.ts';
import type { AdmitPaper, StagedObject } from '../ports.ts';
import type { Destination, Intake, IntakeResult, SenderRights } from './intake.ts';
import { linkPaper } from './paper-repository.ts';

export interface PaperDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  intake: Intake;
  /** What an object without pixels has for people. */
  readContents(path: string): Promise<ContentsAnswer>;
  /** Writes a picture as a DICOM object into a new file; false for a photo or a scan of paper. Paths are absolute. */
  wrapImage(path: string, target: string, place: WrappedPlace): Promise<boolean>;
}

/** Encapsulated documents: PDF, CDA (PS3.4, table B.5-1). */
const ENCAPSULATED = '1.2.840.10008.5.1.4.1.1.104.';
const MAX_PAPER_BYTES = 256 * 2 ** 20;

/**
 * Completes a received object with what people read of it: its report as PDF, the document that it contains, its dose.
 * An object whose contents can't be read is filed without them.
 */
export async function stageObject(deps: PaperDeps, file: ReceivedFile, instance: DicomInstance): Promise<StagedObject> {
  const { kind, sopClassUid, study } = instance;
  const mayHave = kind === 'report' || kind === 'dose' || sopClassUid.startsWith(ENCAPSULATED);
  const found = mayHave ? await contentsOf(deps, file) : null;
  const staged: StagedObject = { file, instance, paper: null, enclosed: null, dose: found?.dose ?? null };
  if (!found?.paper) return staged;
  const { type, title, bytes } = found.paper;
  const name = [title, study.date].filter(Boolean).join(' ');
  const received = await deps.vault.receive(Readable.from([bytes]), { limit: MAX_PAPER_BYTES });
  if (type === 'xml') return { ...staged, enclosed: { file: received, name: `${name}.xml`, kind: 'other' } };
  return { ...staged, paper: await checkPaper(deps, received, name) };
}

async function contentsOf({ vault, readContents }: PaperDeps, { path }: ReceivedFile): Promise<ContentsAnswer | null> {
  try {
    return await readContents(vault.resolve(path));
  } catch (error) {
    if (error instanceof DicomError) return null;
    throw error;
  }
}

async function checkPaper(
  { vault, intake }: PaperDeps,
  file: ReceivedFile,
  title: string,
): Promise<StagedObject['paper']> {
  try {
    const kind = await intake.identify(file.path, file.size, '');
    await intake.check(file.path, kind);
    if (kind.kind === 'pdf' || kind.kind === 'image') return { file, name: withExtension(`${title}.`, kind), kind };
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
  }
  vault.discard(file.path);
  return null;
}

/** The files that were made for an object, beside its own. */
export const madeFor = ({ paper, enclosed }: StagedObject): ReceivedFile[] =>
  [paper, enclosed].flatMap((made) => (made ? [made.file] : []));

/** Stores the papers of filed objects as documents that are linked to those of their studies. */
export function paperAdmission(
  { db, clock, intake }: Pick<PaperDeps, 'db' | 'clock' | 'intake'>,
  destination: Destination,
  rights: SenderRights,
): { admit: AdmitPaper; admitted: IntakeResult[] } {
  const admitted: IntakeResult[] = [];
  return {
    admitted,
    admit({ file, name, kind }, study) {
      const patientId = destination.patientId ?? study.patientId;
      const result = intake.admit(file, name, kind, { ...destination, patientId }, rights);
      admitted.push(result);
      const id = documentOf(result, study.patientId);
      if (id !== null && id !== study.documentId) linkPaper(db, id, study.documentId, toTimestamp(clock.now()));
      return result.status === 'pending';
    },
  };
}

/** The stored document, or a copy of it that the same patient has. */
function documentOf(result: IntakeResult, patientId: number | null): number | null {
  if (result.status === 'pending') return result.document_id;
  return result.status === 'duplicate' && result.existing_patient_id === patientId ? result.existing_document_id : null;
}
