import { ARTIFACTS, type ArtifactName } from '../../../../../src-shared/contract/phone-backups/artifacts.ts';
import { BackupError, type UnlockedBackup } from '../../../../../src-shared/ios-backup/index.ts';
import { contactPicture } from '../../../../../src-shared/ios-backup/artifacts/contact-picture.ts';
import type { ArtifactSource } from '../../../../../src-shared/ios-backup/artifacts/source.ts';
import { createIntegrityCheck } from '../../../../../src-shared/ios-backup/artifacts/integrity-check.ts';
import { SearchSyntaxError } from '../../../../../src-shared/ios-backup/artifacts/index-store/database.ts';
import { artifactLists } from '../../../../../src-shared/ios-backup/artifacts/index-store/lists.ts';
import type { Page } from '../../../../../src-shared/ios-backup/artifacts/index-store/reader.ts';
import type { ArtifactStore } from './artifact-store.ts';
import type { Answer, Asked, Question } from './protocol.ts';
import type { createSuggestions } from './suggestions.ts';

const KINDS = { file: 'file', folder: 'directory', link: 'symlink', other: 'other' } as const;
/** Times beyond what a date can be are none. */
const LATEST_S = 8e12;
const momentOf = (seconds: number | null): string | null =>
  seconds === null || !(seconds > 0 && seconds < LATEST_S) ? null : new Date(seconds * 1000).toISOString().slice(0, 19);

interface Paging {
  limit?: string | undefined;
  offset?: string | undefined;
}
const LIMIT = 100;

function pageOf<T>(
  rows: readonly T[],
  { limit = String(LIMIT), offset = '0' }: Paging = {},
): { items: T[]; total: number; limit: number; offset: number } {
  const start = Number(offset),
    count = Number(limit);
  return { items: rows.slice(start, start + count), total: rows.length, limit: count, offset: start };
}

type Answers = { [N in Question]: (asked: Asked<N>, signal?: AbortSignal) => Promise<Answer<N>> | Answer<N> };

type Lists = ReturnType<typeof artifactLists>;
const missing = (): never => {
  throw new BackupError('unknown_entry');
};

/** Answers what the service answers, in the same words and from an index of the same shape, which is in memory. */
export function createAnswers(
  backup: UnlockedBackup,
  source: ArtifactSource,
  store: ArtifactStore,
  suggestions: ReturnType<typeof createSuggestions>,
): Answers {
  const integrity = createIntegrityCheck(backup);
  /** A question about artifacts, answered by the lists of the service over what was read of the backup. */
  const from =
    <N extends Question>(
      artifacts: readonly ArtifactName[],
      answer: (
        lists: Lists,
        query: Omit<NonNullable<Asked<N>['query']>, 'limit' | 'offset'> & Page,
        guid: string,
      ) => Answer<N>,
    ) =>
    async ({ query, guid = '' }: Asked<N>, signal?: AbortSignal): Promise<Answer<N>> => {
      const reader = await store.reader(...artifacts);
      signal?.throwIfAborted();
      const { limit = String(LIMIT), offset = '0' } = (query ?? {}) as Paging;
      const asked = { ...query, limit: Number(limit), offset: Number(offset) } as unknown as Parameters<
        typeof answer
      >[1];
      try {
        return answer(artifactLists(reader, missing), asked, guid);
      } catch (error) {
        // Signs without a word find nothing.
        if (error instanceof SearchSyntaxError) return answer(artifactLists(null, missing), asked, guid);
        throw error;
      }
    };

  return {
    async files({ query = {} }) {
      const { limit = String(LIMIT), offset = '0', domain, path_like: pathLike } = query;
      const { items, total } = await backup.entries({
        limit: Number(limit),
        offset: Number(offset),
        ...(domain !== undefined && { domain }),
        ...(pathLike !== undefined && { pathLike }),
      });
      return {
        items: items.map(({ fileId, relativePath, modifiedAt, kind, size, protectionClass, ...entry }) => ({
          file_id: fileId,
          domain: entry.domain,
          relative_path: relativePath,
          size: size ?? 0,
          mtime: momentOf(modifiedAt),
          kind: KINDS[kind],
          flags: entry.flags,
          protection_class: protectionClass,
        })),
        total,
        limit: Number(limit),
        offset: Number(offset),
      };
    },
    domains() {
      const counts = backup.domains();
      return { domains: counts.map(({ domain }) => domain), counts };
    },
    suggestions: async ({ query }, signal) => pageOf(await suggestions((query?.offset ?? '0') === '0', signal), query),
    integrity: () => integrity.start(),
    integrityState: () => integrity.state(),
    integrityCancel: () => integrity.cancel(),
    integrityFindings: ({ query: { fault, limit = String(LIMIT), offset = '0' } = {} }) =>
      integrity.findings({ fault, limit: Number(limit), offset: Number(offset) }),
    contactPicture: async ({ guid = '' }) => ({ picture: await contactPicture(source, guid) }),
    index({ body }) {
      store.start(body?.artifacts);
      return store.job();
    },
    indexState: () => store.job(),
    indexCancel() {
      store.cancel();
      return store.job();
    },

    conversations: from<'conversations'>(['messages'], (lists, { q, ...page }) =>
      lists.list('conversations', page, { q }),
    ),
    conversation: from<'conversation'>(['messages'], (lists, { order = 'asc', ...page }, guid) =>
      lists.conversation(guid, { ...page, order }),
    ),
    chats: from<'chats'>(['whatsapp'], (lists, { q, ...page }) => lists.list('chats', page, { q })),
    chat: from<'chat'>(['whatsapp'], (lists, { order = 'asc', ...page }, guid) => lists.chat(guid, { ...page, order })),
    photos: from<'photos'>(['photos'], (lists, query) => lists.photos(query)),
    albums: from<'albums'>(['photos'], (lists, page) => lists.list('albums', page)),
    notes: from<'notes'>(['notes'], (lists, query) => lists.notes(query)),
    calendars: from<'calendars'>(['calendar'], (lists, query) => lists.calendars(query)),
    contacts: from<'contacts'>(['contacts'], (lists, { q, ...page }) => lists.list('contacts', page, { q })),
    calls: from<'calls'>(['calls'], (lists, { q, ...page }) => lists.list('calls', page, { q })),
    history: from<'history'>(['safari'], (lists, query) => lists.visits(query)),
    bookmarks: from<'bookmarks'>(['safari'], (lists, { q, ...page }) => lists.list('bookmarks', page, { q })),
    voicemail: from<'voicemail'>(['voicemail'], (lists, page) => lists.list('voicemails', page)),
    recordings: from<'recordings'>(['recordings'], (lists, page) => lists.list('recordings', page)),
    health: from<'health'>(['health'], (lists, query) => lists.samples(query)),
    healthTypes: from<'healthTypes'>(['health'], (lists) => lists.healthTypes()),
    healthRecords: from<'healthRecords'>(['health'], (lists, page) => lists.list('clinical_records', page)),
    medications: from<'medications'>(['medications'], (lists, page) => lists.list('medications', page)),
    apps: from<'apps'>(['apps'], (lists, { q, ...page }) => lists.list('apps', page, { q })),
    accounts: from<'accounts'>(['accounts'], (lists, page) => lists.list('accounts', page)),
    search: (asked, signal) =>
      from<'search'>(
        asked.query?.artifact === undefined ? ARTIFACTS : [asked.query.artifact],
        (lists, { q, artifact, ...page }) => lists.search(q, artifact, page),
      )(asked, signal),
  };
}
