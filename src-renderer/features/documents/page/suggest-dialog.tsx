import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useTitles } from '../../../client/document-title.ts';
import { useFormats } from '../../../client/format.ts';
import { ModelUsage } from '../../../client/model-usage.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useToasts } from '../../../client/toasts.tsx';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/states.tsx';
import type { DocumentActions } from './use-actions.ts';
import { useLinkActions } from './use-links.ts';
import './words-dialog.css';

type Link = Reply<typeof contract.suggestions.links>['suggestions'][number];
type EventProposal = Reply<typeof contract.suggestions.event>;

/** Links and an event that a model proposes for the document; each is taken by a person, or not. */
export function SuggestDialog({
  document,
  onApply,
  onClose,
}: {
  document: DocumentDetail;
  onApply: DocumentActions['apply'];
  onClose: () => void;
}) {
  const { t } = useTranslation(['document', 'app']);
  const vocabulary = useVocabulary();
  const { data, error } = useProposals(document.id);
  const isEmpty = data?.links.length === 0 && !data.event.matched_event && !data.event.new_event_suggestion;
  return (
    <Dialog open wide title={t('document:suggest_title')} onOpenChange={(open) => !open && onClose()}>
      <div className="stack" role="status">
        {!data && !error && <p className="muted">{t('document:suggest_working')}</p>}
        {error && <Notice tone="bad">{vocabulary.error(error)}</Notice>}
        {isEmpty && <p className="muted">{t('document:suggest_nothing')}</p>}
        {data && (
          <ul className="words-changes">
            <ProposedEvent document={document} proposal={data.event} onApply={onApply} />
            {data.links.map((link) => (
              <ProposedLink key={link.document_id} document={document} link={link} />
            ))}
          </ul>
        )}
        {data?.usages.map((usage, index) => (
          <ModelUsage key={index} usage={usage} />
        ))}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('app:action.close')}</Button>
      </div>
    </Dialog>
  );
}

/** Asked for once, when the dialog is opened. */
const useProposals = (id: number) =>
  useQuery({
    queryKey: cacheKeys.document(id, 'suggestions'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => {
      const params = { id: String(id) };
      const { suggestions, usage } = await call(contract.suggestions.links, { params }, signal);
      const event = await call(contract.suggestions.event, { params }, signal);
      return { links: suggestions, event, usages: [usage, event.usage].filter((one) => one !== null) };
    },
  });

function ProposedLink({ document, link }: { document: DocumentDetail; link: Link }) {
  const { t } = useTranslation('document');
  const formats = useFormats();
  const titles = useTitles();
  const actions = useLinkActions(document);
  // Not before it is saved, and no longer when it is undone.
  const isTaken = document.links.some(({ id }) => id === link.document_id);
  const vocabulary = useVocabulary();
  const name =
    link.title ??
    (link.doc_type === null ? titles.fileName(link.original_filename) : vocabulary.documentType(link.doc_type));
  return (
    <li>
      <span className="row">
        <span className="cap">{t(`link_to_${link.link_type}`)}</span>
        <span className="strong truncate">{name}</span>
        <span className="num muted">{formats.date(link.event_date)}</span>
        {link.confidence === 'review' && <Tag tone="warn">{t('suggest_unsure')}</Tag>}
        <Button
          size="small"
          className="push"
          disabled={isTaken}
          onClick={() => actions.add(link.document_id, link.link_type)}
          aria-label={t('suggest_link_to', { name })}
        >
          {t(isTaken ? 'suggest_taken' : 'suggest_link')}
        </Button>
      </span>
      <span className="cap">{link.reason}</span>
    </li>
  );
}

function ProposedEvent({
  document,
  proposal: { matched_event: matched, new_event_suggestion: fresh, reason, confidence },
  onApply,
}: {
  document: DocumentDetail;
  proposal: EventProposal;
  onApply: DocumentActions['apply'];
}) {
  const { t } = useTranslation('document');
  const formats = useFormats();
  const assign = (event_id: number): void => onApply({ event_id }, { event_links: document.event_links });
  const create = useCreateEvent(document, assign);
  const event = matched ?? fresh;
  if (!event) return null;
  const id = matched?.id ?? create.data?.id;
  const isTaken = document.event_links.some(({ event_id }) => event_id === id);
  const take = (): void => {
    if (id !== undefined) assign(id);
    else if (fresh) create.mutate(fresh);
  };
  return (
    <li>
      <span className="row">
        <span className="cap">{t(matched ? 'field_event_id' : 'suggest_new_event')}</span>
        <span className="strong truncate">{event.title}</span>
        <span className="num muted">{formats.date(event.date_start)}</span>
        {confidence === 'review' && <Tag tone="warn">{t('suggest_unsure')}</Tag>}
        <Button size="small" className="push" disabled={isTaken || create.isPending} onClick={take}>
          {t(labelOfState(isTaken, matched !== null))}
        </Button>
      </span>
      {reason !== null && <span className="cap">{reason}</span>}
    </li>
  );
}

function labelOfState(isTaken: boolean, exists: boolean) {
  if (isTaken) return 'suggest_taken' as const;
  return exists ? ('suggest_assign' as const) : ('suggest_create' as const);
}

/** Creates the proposed event and assigns it. */
function useCreateEvent(document: DocumentDetail, onCreated: (id: number) => void) {
  const client = useQueryClient();
  const { showError } = useToasts();
  return useMutation({
    mutationFn: (event: NonNullable<EventProposal['new_event_suggestion']>) =>
      call(contract.events.create, { body: { patient_id: document.patient_id ?? 0, ...event } }),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: cacheKeys.events });
      onCreated(id);
    },
    onError: showError,
  });
}
