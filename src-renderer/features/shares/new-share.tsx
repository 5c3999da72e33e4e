import { useNavigate, useSearch } from '@tanstack/react-router';
import { Link as LinkGlyph } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { SHARE_DAYS } from '../../../src-shared/contract/shares.ts';
import { localDay, now } from '../../client/clock.ts';
import { copyText } from '../../client/copy-text.ts';
import { useMayShare, usePatients } from '../../client/session.tsx';
import { useToasts } from '../../client/toasts.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Crumb } from '../../ui/top-bar-places.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import { useShareLabels, type ShareLabels } from './labels.ts';
import { ChosenDocuments } from './new-documents.tsx';
import { CodeBlock, PeriodBlock, RecipientBlock, TranslationBlock, type Draft } from './new-fields.tsx';
import { RecipientPreview } from './preview.tsx';
import { useCreateShare, useListener, useShareableDocuments } from './queries.ts';
import './parts.css';
import './new-share.css';

const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;

const EMPTY: Draft = { name: '', contact: '', days: SHARE_DAYS.usual, delivery: 'manual', translator: '' };

/** A new share: everything but the recipient has a usual value. */
export default function NewSharePage() {
  const labels = useShareLabels();
  const { t } = labels;
  const search = useSearch({ from: '/frame/shares/new' });
  const navigate = useNavigate();
  const { patient, patients } = useChosenPatient(search.of ?? search.patient);
  const { data } = useShareableDocuments(patient === undefined ? undefined : String(patient.id));
  const chosen = chosenOf(search.documents, data);
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const choose = (of: string, ids: readonly number[]): void =>
    void navigate({
      to: '/shares/new',
      search: (before) => ({ ...before, of, documents: ids.join(',') }),
      replace: true,
    });
  const { submit, isBusy, failure, isNameMissing } = useSubmit(patient?.id, chosen, draft);
  return (
    <div className="ns">
      <Crumb>{t('new')}</Crumb>
      <form className="ns-form" onSubmit={submit} noValidate>
        <h1>{t('new')}</h1>
        <ChosenDocuments
          patient={patient}
          patients={patients}
          chosen={chosen}
          isLoading={patient !== undefined && !data}
          labels={labels}
          onPatient={(id) => choose(id, [])}
          onChange={(ids) => patient && choose(String(patient.id), ids)}
        />
        <RecipientBlock draft={draft} change={change} isNameMissing={isNameMissing} failure={failure} labels={labels} />
        <PeriodBlock draft={draft} change={change} labels={labels} />
        <CodeBlock draft={draft} change={change} labels={labels} />
        <TranslationBlock draft={draft} change={change} labels={labels} />
        <FormFoot draft={draft} chosen={chosen} isBusy={isBusy} failure={failure} labels={labels} />
      </form>
      <aside className="ns-preview" aria-label={t('preview')}>
        <h2>{t('preview_title', { name: draft.name.trim() || t('preview_someone') })}</h2>
        <RecipientPreview
          recipient={draft.name.trim()}
          patient={patient?.display_name ?? '…'}
          until={lastDay(draft.days)}
          documents={chosen}
          labels={labels}
        />
      </aside>
    </div>
  );
}

/** The day on which a share ends that is made now. */
const lastDay = (days: number): string =>
  localDay(new Date(now() + (Number.isFinite(days) ? days : 0) * DAY_MS).toISOString().slice(0, 19));

/** The patient of the address, or the only one whose documents the user may share. */
function useChosenPatient(of: string | undefined) {
  const mayShare = useMayShare();
  const patients = usePatients().filter(({ id }) => mayShare(id));
  const only = patients.length === 1 ? patients[0] : undefined;
  return { patients, patient: patients.find(({ id }) => String(id) === of) ?? only };
}

/** The documents of the address that exist, in its order. */
function chosenOf(ids: string | undefined, all: readonly DocumentListItem[] | undefined): DocumentListItem[] {
  const byId = new Map((all ?? []).map((item) => [String(item.id), item]));
  return [...new Set((ids ?? '').split(','))].flatMap((id) => byId.get(id) ?? []);
}

/** Creates the share, copies its link and opens it. */
function useSubmit(patientId: number | undefined, chosen: readonly DocumentListItem[], draft: Draft) {
  const navigate = useNavigate();
  const { show } = useToasts();
  const create = useCreateShare();
  const [isNameMissing, setNameMissing] = useState(false);
  const name = draft.name.trim();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setNameMissing(name === '');
    if (name === '') event.currentTarget.querySelector<HTMLInputElement>('[name="recipient"]')?.focus();
    if (name === '' || patientId === undefined || chosen.length === 0 || create.isPending) return;
    create.mutate(
      {
        patient_id: patientId,
        document_ids: chosen.map(({ id }) => id),
        recipient_label: name,
        recipient_contact: draft.contact.trim() || null,
        otp_delivery: draft.delivery,
        expires_in_days: draft.days,
        default_llm_provider_id: draft.translator || null,
      },
      {
        onSuccess: async ({ share_id: share, share_url }) => {
          const hasCopied = await copyText(share_url);
          show({ text: ({ t }) => (hasCopied ? t('created', { ns: 'shares' }) : t('created_only', { ns: 'shares' })) });
          await navigate({ to: '/shares', search: (before) => ({ patient: before.patient, share }), replace: true });
        },
      },
    );
  };
  return { submit, isBusy: create.isPending, failure: create.error, isNameMissing: isNameMissing && name === '' };
}

/** What will happen, in a sentence, and the button that does it. */
function FormFoot({
  draft,
  chosen,
  isBusy,
  failure,
  labels: { t },
}: {
  draft: Draft;
  chosen: readonly unknown[];
  isBusy: boolean;
  failure: Error | null;
  labels: ShareLabels;
}) {
  const vocabulary = useVocabulary();
  const navigate = useNavigate();
  const { data: service } = useListener();
  const { days } = draft;
  const isValid = Number.isInteger(days) && days >= SHARE_DAYS.min && days <= SHARE_DAYS.max;
  const period =
    days % DAYS_OF_WEEK === 0 ? t('weeks', { count: days / DAYS_OF_WEEK }) : t('days', { count: days || 0 });
  const isOpening = isBusy && service && service.tunnel.kind !== 'fixed' && service.tunnel.state !== 'open';
  const whole = {
    name: draft.name.trim() || t('preview_someone'),
    documents: t('documents', { count: chosen.length }),
    days: period,
  };
  const sum = chosen.length === 0 ? t('new_no_documents') : t('new_sum', whole);
  return (
    <div className="ns-foot">
      {service?.state === 'off' && <Notice tone="warn">{t('new_sharing_off')}</Notice>}
      {failure && <Notice tone="bad">{vocabulary.error(failure)}</Notice>}
      <p className="muted" role="status">
        {isOpening ? t('new_opening') : sum}
      </p>
      <div className="ns-buttons">
        <Button variant="quiet" onClick={() => void navigate({ to: '/shares' })}>
          {t('cancel')}
        </Button>
        <Button
          type="submit"
          variant="primary"
          size="large"
          glyph={LinkGlyph}
          disabled={isBusy || chosen.length === 0 || !isValid}
        >
          {t('new_create')}
        </Button>
      </div>
    </div>
  );
}
