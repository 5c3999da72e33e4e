import type { StageEvent } from '../../../src-shared/contract/rows.ts';
import type { Extraction, ReaderContext } from '../extraction/extraction.ts';
import type { PageText } from '../../../src-shared/medical/page.ts';
import type { Outcome } from '../providers/provider.ts';
import type { DocumentToRead, ReadOutcome } from './ports.ts';

/** Names in stage events. */
export type StageName = StageEvent['stage'];

/** What stages hand to each other. Plain serialisable data. */
export interface Artifacts {
  /** Given to every flow. */
  document: DocumentToRead;
  /** Page texts of the whole file. */
  reading: ReadOutcome;
  /** Long files: the first look at all pages, with the sections it found; null for short ones. */
  overview: Extraction | null;
  /** Long files: what was read from each section by itself. */
  parts: Extraction[];
  extraction: Extraction;
  /** Current path of the file, relative to the vault. */
  place: string;
  thumbnail: true;
}
export type ArtifactName = keyof Artifacts;

/** What a stage may use beside its input: it knows no database, file or network. */
export interface Tools {
  signal: AbortSignal;
  /** Tells how far a stage that goes page by page has come. */
  progress(current: number, total: number): void;
  readFile(document: DocumentToRead): Promise<Outcome<ReadOutcome>>;
  /** The chosen reader of texts: rules or a model. */
  extract(pages: readonly PageText[], context: ReaderContext): Promise<Outcome<Extraction>>;
  /** Moves the document's file to its place; answers the place. */
  organize(): string;
  /** Of the file at its current path. */
  makeThumbnail(): Promise<Outcome<true>>;
}

/**
 * One step. `input` of `run` has exactly the artifacts of `needs`, and `run` must answer exactly those of `makes`.
 * `version` counts up when the same input gives another result, so that kept artifacts of before are not used.
 */
export interface Stage<Needs extends ArtifactName, Makes extends ArtifactName> {
  name: StageName;
  version: number;
  needs: readonly Needs[];
  makes: readonly Makes[];
  /** When it has nothing to do for this input: the result to use instead. The stage then leaves no event. */
  skip?(input: Pick<Artifacts, Needs>): Pick<Artifacts, Makes> | null;
  run(input: Pick<Artifacts, Needs>, tools: Tools): Promise<Outcome<Pick<Artifacts, Makes>>>;
  /** `stop` (default): the document fails. `go_on`: the event says failed, and the flow continues. */
  onFailure?: 'stop' | 'go_on';
}

/** Infers needs and makes from the lists. */
export const stage = <const Needs extends ArtifactName, const Makes extends ArtifactName>(
  definition: Stage<Needs, Makes>,
): Stage<Needs, Makes> => definition;
