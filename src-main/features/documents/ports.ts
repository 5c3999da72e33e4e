import type { BundleKind } from '../../../src-shared/contract/imaging.ts';
import type { JobKind } from '../../../src-shared/contract/job-kinds.ts';
import type { DicomInstance } from '../../reading/dicom/instance.ts';
import type { Dose } from '../../reading/dicom/dose.ts';
import type { FileKind } from './intake/file-type.ts';
import type { ReceivedFile } from '../../platform/vault/vault.ts';

/** The reading queue as the documents feature uses it. */
export interface ReadingQueue {
  /** Joins a running transaction. */
  enqueue(job: {
    kind: JobKind;
    documentId: number;
    size: number;
    priority?: number;
    options?: Record<string, unknown>;
    notBefore?: string | null;
  }): void;
  /** Returns whether the document was waiting or being read. */
  cancel(documentId: number): boolean;
  /** Starts pending work; called after the transaction. */
  wake(): void;
  isReading(documentId: number): boolean;
  /** Whether a request may name this provider; null asks whether there is any. */
  hasProvider(kind: 'ocr' | 'llm' | 'vision', id: string | null): boolean;
}

/** A DICOM object with its header, to be filed. */
export interface StagedObject {
  file: ReceivedFile;
  instance: DicomInstance;
  /** Its report, or the PDF that it contains. */
  paper: StagedPaper | null;
  /** Another document that it contains, to be kept beside its study. */
  enclosed: StagedBundleFile | null;
  dose: Dose | null;
}

/** A file that becomes a document. */
export interface StagedPaper {
  file: ReceivedFile;
  name: string;
  kind: FileKind;
}

/**
 * Stores a paper of an object of this study as a document, in the caller's transaction; returns whether its file was
 * moved.
 */
export type AdmitPaper = (paper: StagedPaper, study: { documentId: number; patientId: number | null }) => boolean;

/** Another file of an imaging disc; `name` as in the archive. */
export interface StagedBundleFile {
  file: ReceivedFile;
  name: string;
  kind: BundleKind;
}

/** What was filed of a study. */
export interface FiledStudy {
  study_id: number;
  document_id: number;
  is_new: boolean;
  /** New objects, and their frames. */
  objects: number;
  images: number;
  /** Objects that the study had already, and those that were stored beside another one of the same UID. */
  duplicates: number;
  conflicts: number;
  /** Papers that became documents. */
  reports: number;
  /** The paths of staged files that were moved into the vault. */
  stored: string[];
}

/** The imaging feature as the documents feature uses it. */
export interface DicomFiling {
  /**
   * Moves the files of new objects into the folders of their studies, and other files of the disc beside them. `admit`
   * is called for papers of new objects.
   */
  file(
    objects: readonly StagedObject[],
    disc: { name: string; files: readonly StagedBundleFile[] } | null,
    destination: { patientId: number | null; eventId: number | null; uploaderId: number | null },
    admit: AdmitPaper,
  ): Promise<FiledStudy[]>;
}
