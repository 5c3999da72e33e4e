import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { GeneralRow } from '../../../../src-shared/contract/providers.ts';
import { LLM_TYPES } from '../../../../src-shared/contract/provider-types.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';
import { entryOf, newDraft, type ProviderDraft } from './provider-draft.ts';
import { ServiceFields } from './provider-form.tsx';
import { useGeneralModel, useSaveGeneralModel, useTestProvider } from './provider-queries.ts';
import { TestResult } from './test-result.tsx';

/** The id under which the service finds the saved key for a test. */
const GENERAL_ID = 'general-llm';

/** The model for all that is not the reading of documents. */
export function GeneralModelPanel() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useGeneralModel();
  return (
    <Panel title={t('general_model')}>
      <p className="panel-body">{t('general_model_text')}</p>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={2} label={t('loading')} />}
      {data && <GeneralModelForm key={JSON.stringify(data)} row={data} />}
    </Panel>
  );
}

const draftOf = (row: GeneralRow): ProviderDraft => ({
  ...newDraft(row.type ?? '', ''),
  ...{ id: GENERAL_ID, credentialId: row.credential_id ?? '', address: row.base_url, hasKey: row.has_api_key },
  ...{ model: row.model, timeout: String(row.timeout) },
});

function GeneralModelForm({ row }: { row: GeneralRow }) {
  const { t } = useTranslation('settings');
  const [draft, setDraft] = useState(() => draftOf(row));
  const save = useSaveGeneralModel();
  const test = useTestProvider('llm');
  const set = (change: Partial<ProviderDraft>): void => {
    test.reset();
    setDraft({ ...draft, ...change });
  };
  const isChosen = draft.type !== '';
  const {
    id: _id,
    name: _name,
    enabled: _enabled,
    timeout,
    price_in: _priceIn,
    price_out: _priceOut,
    price_currency: _priceCurrency,
    ...fields
  } = entryOf('llm', draft) as Record<string, unknown>;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(isChosen ? { ...fields, ...(timeout !== null && { timeout }) } : { type: null });
  };
  const types = [
    { value: '', label: t('general_model_readers') },
    ...LLM_TYPES.filter((value) => value !== 'builtin').map((value) => ({ value, label: t(`provider_type_${value}`) })),
  ];
  return (
    <form className="panel-body stack settings-form settings-inline" onSubmit={submit}>
      {!row.available && <Notice tone="warn">{t('general_model_none')}</Notice>}
      <Field label={t('provider_type')}>
        {(control) => (
          <Select
            {...control}
            value={draft.type}
            options={types}
            onChange={(event) =>
              set({
                type: event.target.value,
                credentialId: '',
                hasKey: row.has_api_key && row.type === event.target.value,
              })
            }
          />
        )}
      </Field>
      {isChosen && <ServiceFields kind="llm" draft={draft} onChange={set} hasPrices={false} />}
      <div className="row">
        <Button type="submit" variant="primary" disabled={save.isPending}>
          {t('save')}
        </Button>
        {isChosen && (
          <Button
            disabled={test.isPending}
            onClick={() => test.mutate({ provider: { ...entryOf('llm', draft), name: draft.model || draft.type } })}
          >
            {test.isPending ? t('provider_testing') : t('provider_test')}
          </Button>
        )}
      </div>
      <TestResult result={test.data} error={test.error} />
    </form>
  );
}
