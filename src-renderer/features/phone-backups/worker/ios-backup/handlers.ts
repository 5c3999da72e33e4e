import {
  ARTIFACT_ENDPOINTS,
  ARTIFACT_OF_ENDPOINT,
  ARTIFACTS,
  type ArtifactEndpoints,
} from '../../../../../src-shared/contract/phone-backups/artifact-table.ts';
import { phoneBackups } from '../../../../../src-shared/contract/phone-backups/service.ts';
import { contactPicture } from '../../../../../src-shared/ios-backup/artifacts/contact-picture.ts';
import {
  answerArtifact,
  type ArtifactIndex,
  type ArtifactQuery,
} from '../../../../../src-shared/ios-backup/artifacts/index-store/artifact-lists.ts';
import { SearchSyntaxError } from '../../../../../src-shared/ios-backup/artifacts/index-store/database.ts';
import type { IndexReader } from '../../../../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import { createIntegrityCheck } from '../../../../../src-shared/ios-backup/artifacts/integrity-check.ts';
import type { ArtifactSource } from '../../../../../src-shared/ios-backup/artifacts/source.ts';
import { BackupError, type Entry, type UnlockedBackup } from '../../../../../src-shared/ios-backup/index.ts';
import type { ManifestEntry } from '../../../../../src-shared/contract/phone-backups/service.ts';
import type { ArtifactStore } from './artifact-store.ts';
import type { QueryName, QueryReply, QueryRequest } from './protocol.ts';
import type { SuggestMedicalFiles } from './suggestions.ts';

/** An unlocked backup with everything that answers queries about it. */
export interface OpenBackup {
  backup: UnlockedBackup;
  source: ArtifactSource;
  store: ArtifactStore;
  suggestions: SuggestMedicalFiles;
}

export type Handlers = {
  [N in QueryName]: (request: QueryRequest<N>, signal?: AbortSignal) => Promise<QueryReply<N>> | QueryReply<N>;
};

/** Handlers that give the same replies as the service, from an index of the same shape in memory. */
export const createHandlers = (open: OpenBackup): Handlers => ({
  ...manifestHandlers(open),
  ...integrityHandlers(open),
  ...indexHandlers(open),
  ...artifactHandlers(open),
});

function manifestHandlers({
  backup,
  source,
  suggestions,
}: OpenBackup): Pick<Handlers, 'files' | 'domains' | 'suggestions' | 'contactPicture'> {
  return {
    async files({ query = {} }) {
      const { limit, offset, domain, path_like: pathLike } = phoneBackups.files.query.parse(query);
      const { items, total } = await backup.entries({
        limit,
        offset,
        ...(domain !== undefined && { domain }),
        ...(pathLike !== undefined && { pathLike }),
      });
      return { items: items.map(toManifestEntry), total, limit, offset };
    },
    domains() {
      const counts = backup.domains();
      return { domains: counts.map(({ domain }) => domain), counts };
    },
    async suggestions({ query = {} }, signal) {
      const { limit, offset } = phoneBackups.suggestions.query.parse(query);
      const all = await suggestions(offset === 0, signal);
      return { items: all.slice(offset, offset + limit), total: all.length, limit, offset };
    },
    contactPicture: async ({ guid = '' }) => ({ picture: await contactPicture(source, guid) }),
  };
}

const ENTRY_KINDS = { file: 'file', folder: 'directory', link: 'symlink', other: 'other' } as const;
/** The latest time that `Date` can represent, in seconds. */
const MAX_SECONDS = 8e12;

const toManifestEntry = ({
  fileId,
  relativePath,
  modifiedAt,
  kind,
  size,
  protectionClass,
  domain,
  flags,
}: Entry): ManifestEntry => ({
  file_id: fileId,
  domain,
  relative_path: relativePath,
  size: size ?? 0,
  mtime: toUtc(modifiedAt),
  kind: ENTRY_KINDS[kind],
  flags,
  protection_class: protectionClass,
});

const toUtc = (seconds: number | null): string | null =>
  seconds === null || !(seconds > 0 && seconds < MAX_SECONDS)
    ? null
    : new Date(seconds * 1000).toISOString().slice(0, 19);

function integrityHandlers({
  backup,
}: OpenBackup): Pick<Handlers, 'integrity' | 'integrityState' | 'integrityCancel' | 'integrityFindings'> {
  const check = createIntegrityCheck(backup);
  return {
    integrity: () => check.start(),
    integrityState: () => check.state(),
    integrityCancel: () => check.cancel(),
    integrityFindings: ({ query = {} }) => check.findings(phoneBackups.integrityFindings.query.parse(query)),
  };
}

const indexHandlers = ({ store }: OpenBackup): Pick<Handlers, 'index' | 'indexState' | 'indexCancel' | 'search'> => ({
  index({ body }) {
    store.start(body?.artifacts);
    return store.job();
  },
  indexState: () => store.job(),
  indexCancel() {
    store.cancel();
    return store.job();
  },
  async search({ query }, signal) {
    const { q, artifact, ...page } = phoneBackups.search.query.parse(query);
    const reader = await store.reader(...(artifact === undefined ? ARTIFACTS : [artifact]));
    signal?.throwIfAborted();
    return withoutSyntaxErrors(
      () => reader.search(q, artifact, page),
      () => ({ items: [], total: 0, ...page }),
    );
  },
});

/** One handler for each endpoint of `ARTIFACT_TABLE`. */
function artifactHandlers({ store }: OpenBackup): Pick<Handlers, keyof ArtifactEndpoints> {
  const handle =
    <N extends keyof ArtifactEndpoints>(name: N) =>
    async ({ query, guid }: QueryRequest<N>, signal?: AbortSignal) => {
      const reader = await store.reader(ARTIFACT_OF_ENDPOINT[name]);
      signal?.throwIfAborted();
      const parsed = parseQuery(name, query);
      return withoutSyntaxErrors(
        () => answerArtifact(indexOf(reader), name, parsed, guid),
        () => answerArtifact(indexOf(null), name, parsed, guid),
      );
    };
  const names = Object.keys(ARTIFACT_ENDPOINTS) as (keyof ArtifactEndpoints)[];
  return Object.fromEntries(names.map((name) => [name, handle(name)])) as unknown as Pick<
    Handlers,
    keyof ArtifactEndpoints
  >;
}

/** Applies the defaults and limits of the contract. */
function parseQuery<N extends keyof ArtifactEndpoints>(name: N, query: unknown): ArtifactQuery<N> {
  const endpoint = ARTIFACT_ENDPOINTS[name];
  return ('query' in endpoint ? endpoint.query.parse(query ?? {}) : {}) as ArtifactQuery<N>;
}

/** The index of the open backup; `notFound` throws the library's own error. */
export const indexOf = (reader: IndexReader | null): ArtifactIndex => ({
  reader,
  notFound: () => {
    throw new BackupError('unknown_entry');
  },
});

/** A search text without words finds nothing. */
function withoutSyntaxErrors<T>(search: () => T, emptyReply: () => T): T {
  try {
    return search();
  } catch (error) {
    if (error instanceof SearchSyntaxError) return emptyReply();
    throw error;
  }
}
