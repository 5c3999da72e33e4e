import type { documents as contract } from '../../../src-shared/contract/documents.ts';
import type { ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { Handlers } from '../../platform/http/bind.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Documents } from './service.ts';

type DocumentHandlers = Handlers<typeof contract>;

/** A name that a model proposes; null if none is asked. */
export type NameByModel = (
  documentId: number,
  caller: UserCaller,
  signal: AbortSignal,
) => Promise<Partial<FilenameReply> | null>;
type FilenameReply = ReplyInput<typeof contract.generateFilename>;

export const documentRoutes = (documents: Documents, nameByModel: NameByModel): DocumentHandlers => ({
  ...queryRoutes(documents),
  async generateFilename({ params: { id } }, { caller, signal }) {
    const byDetails = documents.queries.suggestedFilename(id);
    return { ...byDetails, ...(await nameByModel(id, caller, signal)) };
  },
  ...editRoutes(documents),
  ...fileRoutes(documents),
  reprocess: ({ params, body }) => documents.reading.reprocess(params.id, body),
  cancel: ({ params }) => documents.reading.cancel(params.id),
  retryAllFailed: () => documents.reading.retryAllFailed(),
  scheduleBatch: ({ body }, { caller }) =>
    documents.reading.scheduleBatch(body.document_ids, body.process_at ?? null, caller),
});

type QueryRoutes = Pick<
  DocumentHandlers,
  'list' | 'failed' | 'facets' | 'suggest' | 'nearHits' | 'relevant' | 'get' | 'pages' | 'stages'
>;

const queryRoutes = ({ queries, prepareSearch }: Documents): QueryRoutes => ({
  async list({ query }, { caller }) {
    if (query.q !== undefined) await prepareSearch();
    return queries.list(query, caller);
  },
  failed: (_input, { caller }) => queries.failed(caller),
  async facets({ query }, { caller }) {
    if (query.q !== undefined) await prepareSearch();
    return queries.facets(query, caller);
  },
  async suggest({ query }, { caller }) {
    await prepareSearch();
    return queries.suggest(query, caller);
  },
  async nearHits({ query }, { caller }) {
    await prepareSearch();
    return queries.nearHits(query, caller);
  },
  relevant: ({ params }, { caller }) => queries.relevant(params.id, caller),
  get: ({ params }, { caller }) => queries.get(params.id, caller),
  pages: ({ params }) => queries.pages(params.id),
  stages: ({ params }) => queries.stages(params.id),
});

const editRoutes = ({
  edits,
  queries,
}: Documents): Pick<DocumentHandlers, 'update' | 'remove' | 'move' | 'rename' | 'markReviewed'> => ({
  update({ params, body }, { caller }) {
    edits.update(params.id, body, caller);
    return queries.get(params.id, caller);
  },
  remove: ({ params, query }, { caller }) =>
    edits.remove(
      params.id,
      query.keep_results === 'true' || query.keep_results === '1' ? 'keep_results' : 'with_results',
      caller,
    ),
  move({ params, body }, { caller }) {
    edits.move(params.id, body.patient_id, caller);
    return queries.get(params.id, caller);
  },
  rename({ params, body }, { caller }) {
    edits.rename(params.id, body.filename);
    return queries.get(params.id, caller);
  },
  markReviewed({ params, query }, { caller }) {
    edits.markReviewed(params.id, query.rows);
    return queries.get(params.id, caller);
  },
});

type FileRoutes = Pick<
  DocumentHandlers,
  'upload' | 'inspect' | 'file' | 'pageImage' | 'thumbnail' | 'findCandidates' | 'relink' | 'replaceFile' | 'rotate'
>;

const fileRoutes = ({ upload, inspect, pictures, files, queries }: Documents): FileRoutes => ({
  async upload({ query, receive }, call) {
    const result = await upload(query, receive, call.caller);
    if (result.status === 'pending') call.setRecordId(result.document_id);
    return result;
  },
  inspect: ({ receive }) => inspect(receive),
  file: ({ params, query }) => pictures.file(params.id, query.download === '1'),
  pageImage: ({ params, query }) => pictures.pageImage(params.id, params.page, query.width),
  thumbnail: ({ params }) => pictures.thumbnail(params.id),
  findCandidates: ({ params }, { caller }) => files.findCandidates(params.id, caller),
  async relink({ params, body }, { caller }) {
    await files.relink(params.id, body.vault_path, caller);
    return queries.get(params.id, caller);
  },
  async replaceFile({ params, receive }, { caller }) {
    await files.replaceFile(params.id, receive, caller);
    return queries.get(params.id, caller);
  },
  async rotate({ params, body }, { caller }) {
    await files.rotate(params.id, body.degrees, body.pages);
    return queries.get(params.id, caller);
  },
});
