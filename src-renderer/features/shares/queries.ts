import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { SettingsPatch } from '../../../src-shared/contract/settings.ts';
import type { Share } from '../../../src-shared/contract/shares.ts';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useMayEdit } from '../../client/session.tsx';
import { useToasts } from '../../client/toasts.tsx';
import type { Message } from '../../client/words.ts';

/** How often what changes from outside is fetched again while it is shown, in ms: the code is being waited for. */
const CODE_MS = 3_000;
const SEATS_MS = 5_000;
const STORY_MS = 5_000;
const SERVICE_MS = 15_000;
/** Documents per request, and the maximum of the API. */
const DOCUMENT_PAGE = 500;

const params = (shareId: string) => ({ share_id: shareId });

/** What happened to a share, newest first. */
export function useTrail(shareId: string) {
  return useQuery({
    queryKey: [...cacheKeys.shares, 'trail', shareId],
    refetchInterval: STORY_MS,
    queryFn: ({ signal }) => call(contract.shares.audit, { params: params(shareId), query: {} }, signal),
  });
}

/** The live code of an open share. */
export function useActiveCode({ share_id, status, otp_delivery }: Share) {
  return useQuery({
    queryKey: [...cacheKeys.shares, 'code', share_id],
    enabled: status === 'active' && otp_delivery === 'manual',
    refetchInterval: CODE_MS,
    // A code must not be shown after its time because it was fetched before.
    gcTime: 0,
    queryFn: ({ signal }) => call(contract.shares.activeOtp, { params: params(share_id) }, signal),
  });
}

const sessionsQuery = (shareId: string) => ({
  queryKey: [...cacheKeys.shares, 'sessions', shareId],
  refetchInterval: SEATS_MS,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(contract.shares.sessions, { params: params(shareId) }, signal),
});
/** Who has a share open, and who waits. */
export const useSessions = (shareId: string) => useQuery(sessionsQuery(shareId));
/** The same of several shares. */
export const useAllSessions = (shareIds: readonly string[]) => useQueries({ queries: shareIds.map(sessionsQuery) });

/** The documents of a share as its recipient sees them; only their owners get an answer. */
export function useSharedDocuments(shareId: string) {
  return useQuery({
    queryKey: [...cacheKeys.shares, 'documents', shareId],
    queryFn: ({ signal }) => call(contract.shares.documents, { params: params(shareId) }, signal),
  });
}

/** Why recipients could not open documents of a patient, by document. */
export function useUnopenable(
  patient: number | undefined,
  ids: readonly number[],
): ReadonlyMap<number, ErrorReference> {
  const list = [...ids].sort((a, b) => a - b).join(',');
  const { data } = useQuery({
    queryKey: [...cacheKeys.shares, 'unopenable', patient, list],
    enabled: patient !== undefined && list !== '',
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      call(contract.shares.unopenable, { query: { patient_id: String(patient), document_ids: list } }, signal),
  });
  return new Map(data?.map(({ document_id, failure }) => [document_id, failure]));
}

/** The service for recipients; not for read-only accounts. */
export function useListener() {
  return useQuery({
    queryKey: [...cacheKeys.shares, 'listener'],
    enabled: useMayEdit(),
    refetchInterval: SERVICE_MS,
    queryFn: ({ signal }) => call(contract.shares.listener, {}, signal),
  });
}

/** Whether codes can be sent by e-mail, and what translates for recipients; undefined until it is known. */
export function useDelivery() {
  const { data } = useQuery({
    queryKey: [...cacheKeys.shares, 'delivery'],
    queryFn: ({ signal }) => call(contract.shares.delivery, {}, signal),
  });
  return data;
}

/** All documents of a patient that can be shared, newest first. */
export function useShareableDocuments(patient: string | undefined) {
  return useQuery({
    queryKey: [...cacheKeys.documentLists, 'shareable', patient],
    enabled: patient !== undefined,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const items: DocumentListItem[] = [];
      for (let total = 1; items.length < total;) {
        const page = await call(
          contract.documents.list,
          { query: { patient_id: patient ?? '', limit: String(DOCUMENT_PAGE), offset: String(items.length) } },
          signal,
        );
        total = page.items.length === 0 ? 0 : page.total;
        items.push(...page.items);
      }
      return items.filter(({ patient_undecided }) => !patient_undecided);
    },
  });
}

/** Runs a change of shares, fetches them again, and says what was done. */
function useChange<Input>(run: (input: Input) => Promise<unknown>, text?: (input: Input) => Message) {
  const client = useQueryClient();
  const { show, showError } = useToasts();
  return useMutation({
    mutationFn: run,
    onError: showError,
    onSuccess: async (_, input) => {
      await client.invalidateQueries({ queryKey: cacheKeys.shares });
      if (text) show({ text: text(input) });
    },
  });
}

export const useEndShare = () =>
  useChange(
    ({ share_id }: Share) => call(contract.shares.revoke, { params: params(share_id) }),
    ({ recipient_label: name }) =>
      ({ t }) =>
        t('ended', { ns: 'shares', name }),
  );
export const useReopenShare = () =>
  useChange(
    ({ share_id }: Share) => call(contract.shares.reopen, { params: params(share_id) }),
    ({ recipient_label: name }) =>
      ({ t }) =>
        t('reopened', { ns: 'shares', name }),
  );
/** Notes that the recipient gets the link with its new address. */
export const useRenewLink = () =>
  useChange(({ share_id }: Share) => call(contract.shares.renewLink, { params: params(share_id) }));
export const usePurgeShare = () =>
  useChange(
    ({ share_id }: Share) => call(contract.shares.purge, { params: params(share_id) }),
    ({ recipient_label: name }) =>
      ({ t }) =>
        t('deleted', { ns: 'shares', name }),
  );
export const useAddDocuments = () =>
  useChange(
    ({ share, documents }: { share: Share; documents: number[] }) =>
      call(contract.shares.addDocuments, { params: params(share.share_id), body: { document_ids: documents } }),
    ({ documents }) =>
      ({ t }) =>
        t('docs_added', { ns: 'shares', count: documents.length }),
  );

/** Takes a document out of a share; it can be added again, also by who presses Undo before the server has answered. */
export function useTakeOut() {
  const client = useQueryClient();
  const { begin } = useToasts();
  const add = useAddDocuments();
  return useMutation({
    mutationFn: ({ share, document }: { share: Share; document: SharedDocument }) =>
      call(contract.shares.removeDocument, {
        params: { ...params(share.share_id), document_id: String(document.id) },
      }),
    onMutate: begin,
    onError: (error, _, change) => change?.fail(error),
    onSuccess: async (_, { share, document }, change) => {
      change.done({
        text: ({ t, titles }) =>
          t('docs_taken_out', { ns: 'shares', document: titles.title({ ...document, title: null, highlights: null }) }),
        undo: () => add.mutateAsync({ share, documents: [document.id] }),
      });
      await client.invalidateQueries({ queryKey: cacheKeys.shares });
    },
  });
}
export const useCancelCode = () =>
  useChange(
    ({ share_id }: Share) => call(contract.shares.cancelCode, { params: params(share_id) }),
    () =>
      ({ t }) =>
        t('code_cancelled', { ns: 'shares' }),
  );

/** A row of a session or of the queue. */
interface Seat {
  share_id: string;
  rowid: number;
}
const seatParams = ({ share_id, rowid }: Seat) => ({ share_id, rowid: String(rowid) });
export const useDisconnect = () =>
  useChange((seat: Seat) => call(contract.shares.endSession, { params: seatParams(seat) }));
export const useDropWaiter = () =>
  useChange((seat: Seat) => call(contract.shares.dropWaiter, { params: seatParams(seat) }));

type NewShare = Parameters<typeof call<typeof contract.shares.create>>[1]['body'];

/** Creates a share; its form shows the error. */
export function useCreateShare() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewShare) => call(contract.shares.create, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: cacheKeys.shares }),
  });
}

/** Fetches again what says how the service runs. */
function useRefreshService() {
  const client = useQueryClient();
  return () =>
    Promise.all([cacheKeys.shares, cacheKeys.settings].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Turns the service for recipients on, for some minutes also without an open share; a failed tunnel is tried again. */
export function useOpenService() {
  const refresh = useRefreshService();
  const { show, showError } = useToasts();
  return useMutation({
    mutationFn: () => call(contract.shares.openService, {}),
    onError: showError,
    onSuccess: async () => {
      show({ text: ({ t }) => t('service_opened', { ns: 'shares' }) });
      await refresh();
    },
  });
}

/** Ends the service with its tunnel and all sessions, and says what was closed. */
export function useCloseService() {
  const refresh = useRefreshService();
  const { show, showError } = useToasts();
  return useMutation({
    mutationFn: () => call(contract.shares.closeService, {}),
    onError: showError,
    onSuccess: async ({ sessions, waiting, address }) => {
      show({
        text: ({ t }) =>
          [
            t('service_closed', { ns: 'shares' }),
            address !== null && t('closed_address', { ns: 'shares', address: address.replace(/^https?:\/\//, '') }),
            sessions > 0 && t('closed_sessions', { ns: 'shares', count: sessions }),
            waiting > 0 && t('closed_waiting', { ns: 'shares', count: waiting }),
          ]
            .filter(Boolean)
            .join(' · '),
      });
      await refresh();
    },
  });
}

/** All settings, for administrators. */
export const useTunnelSettings = () =>
  useQuery({ queryKey: cacheKeys.settings, queryFn: ({ signal }) => call(contract.settings.get, {}, signal) });

/** Saves how recipients reach the service, and tries it if the service is on; its form shows the error. */
export function useSaveTunnel() {
  const refresh = useRefreshService();
  const { show } = useToasts();
  return useMutation({
    mutationFn: async ({ patch, isOn }: { patch: SettingsPatch; isOn: boolean }) => {
      if (Object.keys(patch).length > 0) await call(contract.settings.update, { body: patch });
      if (isOn) await call(contract.shares.openService, {});
    },
    onSuccess: async () => {
      show({ text: ({ t }) => t('saved', { ns: 'settings' }) });
      await refresh();
    },
  });
}
