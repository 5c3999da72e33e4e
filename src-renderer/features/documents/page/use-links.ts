import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail, LinkType } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useToasts } from '../../../ui/toasts.tsx';

type Link = DocumentDetail['links'][number];
interface Action {
  act: () => Promise<unknown>;
  text: string;
  undo: () => Promise<unknown>;
}

/** Documents of the same patient that may be meant by a typed text; without one, those that belong near and then the newest. */
export function useLinkCandidates(document: DocumentDetail, text: string, wanted: boolean) {
  const q = text.trim();
  const near = useQuery({
    queryKey: cacheKeys.document(document.id, 'relevant'),
    enabled: wanted,
    queryFn: ({ signal }) => call(contract.documents.relevant, { params: { id: String(document.id) } }, signal),
  });
  const newestOf = { ...(document.patient_id !== null && { patient_id: String(document.patient_id) }), limit: '12' };
  const newest = useQuery({
    queryKey: [...cacheKeys.documentLists, 'newest', newestOf],
    enabled: wanted,
    queryFn: ({ signal }) => call(contract.documents.list, { query: newestOf }, signal),
  });
  const suggestions = useQuery({
    queryKey: [...cacheKeys.suggestions, 'links', document.patient_id, q],
    enabled: wanted && q.length > 1,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        contract.documents.suggest,
        { query: { q, limit: '8', ...(document.patient_id !== null && { patient_id: String(document.patient_id) }) } },
        signal,
      ),
  });
  const candidates =
    q.length > 1 ? (suggestions.data?.documents ?? []) : [...(near.data?.items ?? []), ...(newest.data?.items ?? [])];
  return [...new Map(candidates.map((candidate) => [candidate.id, candidate])).values()].filter(
    (candidate) => candidate.id !== document.id,
  );
}

/** Links the document with others and takes links away, each with its undo. */
export function useLinkActions(document: DocumentDetail) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const refresh = (): void => void client.invalidateQueries({ queryKey: cacheKeys.documents });
  const failed = (error: unknown): void => show({ text: vocabulary.error(error), tone: 'bad' });
  const run = useMutation({
    mutationFn: ({ act }: Action) => act(),
    onSuccess: (_, { text, undo }) => {
      refresh();
      show({ text, undo: () => undo().then(refresh, failed) });
    },
    onError: failed,
  });
  const link = (source: number, target_document_id: number, link_type: LinkType) =>
    call(contract.documentLinks.create, { params: { id: String(source) }, body: { target_document_id, link_type } });
  const takeAway = (id: number) =>
    call(contract.documentLinks.remove, { params: { id: String(document.id), link_id: String(id) } });
  return {
    add(target: number, type: LinkType): void {
      let id = 0;
      run.mutate({
        act: async () => {
          id = (await link(document.id, target, type)).link_id;
        },
        text: t('linked'),
        undo: () => takeAway(id),
      });
    },
    remove: ({ link_id, source_document_id, target_document_id, link_type }: Link): void =>
      run.mutate({
        act: () => takeAway(link_id),
        text: t('unlinked'),
        undo: () => link(source_document_id, target_document_id, link_type),
      }),
  };
}
