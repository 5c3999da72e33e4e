import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HealthLinkRow } from '../../../src-shared/contract/health-links.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useToasts } from '../../client/toasts.tsx';

/** How often links are fetched again, in ms: while one is being made, its pages are counted. */
const MAKING_MS = 1_000;
const USUAL_MS = 5_000;

/** The SMART Health Links of a share, newest first. */
export function useHealthLinks(shareId: string) {
  return useQuery<HealthLinkRow[]>({
    queryKey: [...cacheKeys.shares, 'health-links', shareId],
    refetchInterval: ({ state: { data } }) => (data?.some(({ status }) => status === 'making') ? MAKING_MS : USUAL_MS),
    queryFn: ({ signal }) => call(contract.healthLinks.list, { params: { share_id: shareId } }, signal),
  });
}

type NewLink = Parameters<typeof call<typeof contract.healthLinks.create>>[1]['body'];

/** Begins to make a link; its form shows the error. */
export function useMakeHealthLink(shareId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewLink) => call(contract.healthLinks.create, { params: { share_id: shareId }, body }),
    // The link opens the documents, so nothing keeps it longer than the dialog that shows it.
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: cacheKeys.shares }),
  });
}

/** Ends a link, and says so. */
export function useEndHealthLink(shareId: string) {
  const client = useQueryClient();
  const { show, showError } = useToasts();
  return useMutation({
    mutationFn: ({ link_id }: HealthLinkRow) =>
      call(contract.healthLinks.revoke, { params: { share_id: shareId, link_id } }),
    onError: showError,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: cacheKeys.shares });
      show({ text: ({ t }) => t('hl_ended', { ns: 'shares' }) });
    },
  });
}
