import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DocumentDetail, LinkType } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { toApiSearch } from '../../../client/search-line.ts';
import { useToasts } from '../../../client/toasts.tsx';
import type { Message } from '../../../client/words.ts';

type Link = DocumentDetail['links'][number];
interface Action {
  act: () => Promise<unknown>;
  text: Message;
  undo: () => Promise<unknown>;
}

/** Documents of the patient that match a typed text; without a text, related documents and then the newest. */
export function useLinkCandidates(document: DocumentDetail, text: string, enabled: boolean) {
  const q = text.trim();
  const related = useQuery({
    queryKey: cacheKeys.document(document.id, 'relevant'),
    enabled: enabled,
    queryFn: ({ signal }) => call(contract.documents.relevant, { params: { id: String(document.id) } }, signal),
  });
  const newestOf = { ...(document.patient_id !== null && { patient_id: String(document.patient_id) }), limit: '12' };
  const newest = useQuery({
    queryKey: [...cacheKeys.documentLists, 'newest', newestOf],
    enabled: enabled,
    queryFn: ({ signal }) => call(contract.documents.list, { query: newestOf }, signal),
  });
  const suggestions = useQuery({
    queryKey: [...cacheKeys.suggestions, 'links', document.patient_id, q],
    enabled: enabled && q.length > 1,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        contract.documents.suggest,
        {
          query: {
            q: toApiSearch(q),
            limit: '8',
            ...(document.patient_id !== null && { patient_id: String(document.patient_id) }),
          },
        },
        signal,
      ),
  });
  const candidates =
    q.length > 1
      ? (suggestions.data?.documents ?? [])
      : [...(related.data?.items ?? []), ...(newest.data?.items ?? [])];
  return [...new Map(candidates.map((candidate) => [candidate.id, candidate])).values()].filter(
    (candidate) => candidate.id !== document.id,
  );
}

/** Adds and removes links of the document, each with Undo. */
export function useLinkActions(document: DocumentDetail) {
  const client = useQueryClient();
  const { begin } = useToasts();
  const refresh = (): void => void client.invalidateQueries({ queryKey: cacheKeys.documents });
  const run = useMutation({
    mutationFn: ({ act }: Action) => act(),
    onMutate: begin,
    onSuccess: (_, { text, undo }, change) => {
      refresh();
      change.done({ text, undo: () => undo().then(refresh) });
    },
    onError: (error, _, change) => change?.fail(error),
  });
  const link = (source: number, target_document_id: number, link_type: LinkType) =>
    call(contract.documentLinks.create, { params: { id: String(source) }, body: { target_document_id, link_type } });
  const removeLink = (id: number) =>
    call(contract.documentLinks.remove, { params: { id: String(document.id), link_id: String(id) } });
  return {
    add(target: number, type: LinkType): void {
      let id = 0;
      run.mutate({
        act: async () => {
          id = (await link(document.id, target, type)).link_id;
        },
        text: ({ t }) => t('linked', { ns: 'document' }),
        undo: () => removeLink(id),
      });
    },
    remove: ({ link_id, source_document_id, target_document_id, link_type }: Link): void =>
      run.mutate({
        act: () => removeLink(link_id),
        text: ({ t }) => t('unlinked', { ns: 'document' }),
        undo: () => link(source_document_id, target_document_id, link_type),
      }),
  };
}
