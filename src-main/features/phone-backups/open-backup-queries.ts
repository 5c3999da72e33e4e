import {
  createImageClassifier,
  type ClassifyImages,
} from '../../../src-shared/ios-backup/artifacts/document-candidates.ts';
import { rowsWithFiles } from '../../../src-shared/ios-backup/artifacts/index-store/rows-with-files.ts';
import { suggest } from '../../../src-shared/ios-backup/artifacts/suggestions.ts';
import type { EntryDetail } from '../../../src-shared/ios-backup/index.ts';
import type { RangedReply } from '../../platform/http/bytes.ts';
import { contentTypeOf, HEAD_BYTES } from './content-type.ts';
import type { IndexJobs } from './index-jobs.ts';
import type { OpenThread } from './open-thread.ts';
import type { PhoneBackupRepository } from './repository.ts';
import type { Sessions } from './sessions.ts';
import { smallFileReader } from './suggestions.ts';
import { toManifestEntry } from './summaries.ts';
import type { ThreadCalls } from './thread-requests.ts';

interface Page {
  limit: number;
  offset: number;
}
interface EntryFilter extends Page {
  domain?: string | undefined;
  path_like?: string | undefined;
}
interface QueryDeps {
  sessions: Sessions;
  jobs: IndexJobs;
  repository: PhoneBackupRepository;
  documentLikelihood(data: Uint8Array): Promise<number | null>;
}

/** Runs queries on unlocked backups. All methods throw if the session is not valid for the backup. */
export class OpenBackupQueries {
  readonly #deps: QueryDeps;
  readonly #classify: ClassifyImages;

  constructor(deps: QueryDeps) {
    this.#deps = deps;
    this.#classify = createImageClassifier(deps.documentLikelihood);
  }

  #thread(id: string, session: string | null): OpenThread {
    return this.#deps.sessions.use(session, id);
  }

  async files(id: string, session: string | null, { domain, path_like: pathLike, limit, offset }: EntryFilter) {
    const { items, total } = await this.#thread(id, session).call('entries', {
      limit,
      offset,
      ...(domain !== undefined && { domain }),
      ...(pathLike !== undefined && { pathLike }),
    });
    return { items: items.map(toManifestEntry), total, limit, offset };
  }

  async domains(id: string, session: string | null) {
    const counts = await this.#thread(id, session).call('domains', undefined);
    return { domains: counts.map(({ domain }) => domain), counts };
  }

  /**
   * A file of the backup, decrypted as it is read. Each read uses the session, so that a download keeps it open and a
   * client that stopped receiving does not.
   */
  async file(
    id: string,
    fileId: string,
    session: string | null,
  ): Promise<RangedReply & { entry: EntryDetail & { contentSize: number } }> {
    const read = (start: number, end: number): Promise<Uint8Array> =>
      this.#thread(id, session).call('range', { fileId, start, end });
    const entry = await this.#thread(id, session).call('entry', { fileId });
    return {
      kind: 'ranged',
      type: await contentTypeOf(await read(0, Math.min(HEAD_BYTES, entry.contentSize))),
      size: entry.contentSize,
      filename: entry.relativePath.split('/').at(-1) || fileId,
      entry,
      read,
    };
  }

  async suggestions(id: string, session: string | null, { limit, offset }: Page) {
    const { jobs, repository } = this.#deps;
    const thread = this.#thread(id, session);
    const all = await suggest({
      rows: rowsWithFiles(jobs.reader(id)),
      entries: (query) => thread.call('entries', query),
      sent: repository.listSent(id),
      // Only the first page classifies more images, so that the order of later pages does not change.
      classify: (pictures) => this.#classify(id, smallFileReader(thread), offset === 0 ? pictures : []),
    });
    return { items: all.slice(offset, offset + limit), total: all.length, limit, offset };
  }

  async integrity(id: string, session: string | null, action: 'start' | 'state' | 'cancel') {
    return this.#thread(id, session).call('integrity', { action });
  }

  async integrityFindings(id: string, session: string | null, query: ThreadCalls['integrityFindings']['request']) {
    return this.#thread(id, session).call('integrityFindings', query);
  }

  async contactPicture(id: string, session: string | null, identifier: string) {
    return { picture: await this.#thread(id, session).call('contactPicture', { identifier }) };
  }
}
