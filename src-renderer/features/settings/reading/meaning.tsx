import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmbeddingRow } from '../../../../src-shared/contract/meaning.ts';
import { EMBEDDING_TYPES } from '../../../../src-shared/contract/provider-types.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';
import { entryOf, newDraft, type ProviderDraft } from './provider-draft.ts';
import { ServiceFields } from './provider-form.tsx';
import { useEmbeddingModel, useSaveEmbeddingModel } from './provider-queries.ts';

/** The model that lets questions find passages by their meaning. */
export function MeaningPanel() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useEmbeddingModel();
  const setup = data && { ...data, state: null, failure: null };
  return (
    <Panel title={t('meaning')}>
      <p className="panel-body">{t('meaning_text')}</p>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={2} label={t('loading')} />}
      {data && !data.available && <Notice tone="warn">{t('meaning_unavailable')}</Notice>}
      {data?.available && <FillState row={data} />}
      {data?.available && <MeaningForm key={JSON.stringify(setup)} row={data} />}
    </Panel>
  );
}

function FillState({ row: { state, failure } }: { row: EmbeddingRow }) {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  if (state === 'off' || (state === 'waiting' && !failure)) return null;
  const reason = failure && vocabulary.failure(failure);
  return (
    <div className="panel-body" role="status">
      {reason ? (
        <Notice tone="warn">{state === 'waiting' ? reason : t('meaning_left_out', { reason })}</Notice>
      ) : (
        t(state === 'complete' ? 'meaning_complete' : 'meaning_filling')
      )}
    </div>
  );
}

const draftOf = (row: EmbeddingRow): ProviderDraft => ({
  ...newDraft(row.type ?? '', ''),
  ...{ credentialId: row.credential_id ?? '', address: row.base_url, hasKey: row.has_api_key },
  ...{ model: row.model, timeout: String(row.timeout) },
});

function MeaningForm({ row }: { row: EmbeddingRow }) {
  const { t } = useTranslation('settings');
  const [draft, setDraft] = useState(() => draftOf(row));
  const save = useSaveEmbeddingModel();
  const isChosen = draft.type !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { type, credential_id, base_url, model, api_key, timeout } = entryOf('llm', draft);
    const fields = { type, credential_id, base_url, model, api_key, ...(timeout !== null && { timeout }) };
    save.mutate(isChosen ? fields : { type: null });
  };
  const types = [
    { value: '', label: t('meaning_none') },
    ...EMBEDDING_TYPES.map((value) => ({ value, label: t(`provider_type_${value}`) })),
  ];
  return (
    <form className="panel-body stack settings-form settings-inline" onSubmit={submit}>
      <Field label={t('provider_type')}>
        {(control) => (
          <Select
            {...control}
            value={draft.type}
            options={types}
            onChange={({ target: { value: type } }) =>
              setDraft({ ...draft, type, credentialId: '', hasKey: row.has_api_key && row.type === type })
            }
          />
        )}
      </Field>
      {isChosen && (
        <ServiceFields
          kind="llm"
          draft={draft}
          onChange={(change) => setDraft({ ...draft, ...change })}
          hasPrices={false}
        />
      )}
      <div className="row">
        <Button type="submit" variant="primary" disabled={save.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
