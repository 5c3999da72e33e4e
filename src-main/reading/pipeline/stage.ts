import type { StageEvent } from '../../../src-shared/contract/rows.ts';
import type { Extraction, ReaderContext } from '../extraction/extraction.ts';
import type { SectionType } from '../../../src-shared/medical/document-type.ts';
import type { PageText } from '../../../src-shared/medical/page.ts';
import type { Outcome, ReadOutcome } from '../providers/provider.ts';
import type { DocumentToRead } from './ports.ts';

/** Names in stage events. */
export type StageName = StageEvent['stage'];

/** Data passed between stages, plain and serializable. */
export interface Artifacts {
  /** Input of every flow. */
  document: DocumentToRead;
  /** Page texts of the whole file. */
  reading: ReadOutcome;
  /** Long files only: the first reading of all pages with the sections it found; null for short files. */
  overview: Extraction | null;
  /** Long files only: what was read from each section. */
  parts: Extraction[];
  extraction: Extraction;
  /** Current path of the file, relative to the vault. */
  place: string;
  thumbnail: true;
}
export type ArtifactName = keyof Artifacts;

/** Tools that a stage may use besides its input. A stage has no access to database, files or network. */
export interface Tools {
  signal: AbortSignal;
  /** Reports the progress of a stage that works page by page. */
  progress(current: number, total: number): void;
  readFile(document: DocumentToRead): Promise<Outcome<ReadOutcome>>;
  /** The selected reader of texts: rules or a model. */
  extract(
    pages: readonly PageText[],
    context: ReaderContext,
    options?: { /** Only the sections and fields of a long file are wanted. */ isOverview?: boolean },
  ): Promise<Outcome<Extraction>>;
  /** Which pages of a long file belong together, as far as a model tells; none without a model. */
  classifyPages(pages: readonly PageText[]): Promise<ReadonlyMap<number, SectionType>>;
  /** Extracts from the pictures of pages, by a vision model; the words of the pages say where its values are. */
  see(pages: readonly PageText[], document: DocumentToRead): Promise<Outcome<Extraction>>;
  /** Whether a model reads, besides the rules. */
  hasModel: boolean;
  /** Moves the document's file to its folder and returns the path. */
  organize(): string;
  /** Creates the thumbnail of the file at its current path. */
  makeThumbnail(): Promise<Outcome<true>>;
}

/**
 * One step of the pipeline. `run` receives exactly the artifacts in `needs` and must return exactly those in `makes`.
 * Increment `version` when the same input gives another result, so that stored artifacts are not reused.
 */
export interface Stage<Needs extends ArtifactName, Makes extends ArtifactName> {
  name: StageName;
  version: number;
  needs: readonly Needs[];
  makes: readonly Makes[];
  /** Returns the result to use if there is nothing to do for this input. The stage is then recorded as skipped. */
  skip?(input: Pick<Artifacts, Needs>): Pick<Artifacts, Makes> | null;
  run(input: Pick<Artifacts, Needs>, tools: Tools): Promise<Outcome<Pick<Artifacts, Makes>>>;
  /** With `stop` (the default) the document fails. With `go_on` the event is marked failed and the flow continues. */
  onFailure?: 'stop' | 'go_on';
}

/** Infers the types of needs and makes from the lists. */
export const stage = <const Needs extends ArtifactName, const Makes extends ArtifactName>(
  definition: Stage<Needs, Makes>,
): Stage<Needs, Makes> => definition;
