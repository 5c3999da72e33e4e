import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  LLM_TYPES,
  OCR_TYPES,
  VISION_TYPES,
  type ProviderKind,
} from '../../../../src-shared/contract/provider-types.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { Notice } from '../../../ui/states.tsx';
import { entryOf, needsAddress, usualAddress, type ProviderDraft } from './provider-draft.ts';
import { useCredentials, useTestProvider, type ProviderEntry } from './provider-queries.ts';
import { PriceFields } from './price-fields.tsx';
import { LocalFields } from './local-fields.tsx';
import { VisionFields } from './vision-fields.tsx';
import { TimeoutField } from './timeout-field.tsx';
import { TestResult } from './test-result.tsx';

const TYPES: Readonly<Record<ProviderKind, readonly (keyof TypeLabels)[]>> = {
  llm: LLM_TYPES,
  ocr: OCR_TYPES,
  vision: VISION_TYPES,
};
type TypeLabels = Record<(typeof LLM_TYPES)[number] | (typeof OCR_TYPES)[number], string>;

/** The form of a new or a saved provider. `failure` is the error of the last attempt to save. */
export function ProviderForm({
  kind,
  initial,
  failure,
  isBusy,
  onSave,
  onCancel,
}: {
  kind: ProviderKind;
  initial: ProviderDraft;
  failure: unknown;
  isBusy: boolean;
  onSave: (entry: ProviderEntry) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const [draft, setDraft] = useState(initial);
  const test = useTestProvider(kind);
  const set = (change: Partial<ProviderDraft>): void => {
    test.reset();
    setDraft({ ...draft, ...change });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSave(entryOf(kind, draft));
  };
  const types = TYPES[kind].map((value) => ({ value, label: t(`provider_type_${value}`) }));
  return (
    <form className="panel-body stack settings-form settings-inline" onSubmit={submit}>
      {failure !== null && failure !== undefined && <Notice tone="bad">{vocabulary.error(failure)}</Notice>}
      <Field label={t('provider_type')}>
        {(control) => (
          <Select
            {...control}
            value={draft.type}
            options={types}
            disabled={draft.id !== undefined}
            onChange={(event) => set({ type: event.target.value, credentialId: '' })}
          />
        )}
      </Field>
      <Field label={t('provider_name')}>
        {(control) => (
          <Input
            {...control}
            required
            maxLength={100}
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      {(needsAddress(draft.type) || draft.type === 'local') && (
        <ServiceFields kind={kind} draft={draft} onChange={set} />
      )}
      {draft.type === 'llm_vision' && <VisionFields draft={draft} onChange={set} />}
      <div className="row">
        <Button type="submit" variant="primary" disabled={isBusy}>
          {t('save')}
        </Button>
        <Button disabled={test.isPending} onClick={() => test.mutate({ provider: entryOf(kind, draft) })}>
          {test.isPending ? t('provider_testing') : t('provider_test')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
      <TestResult result={test.data} error={test.error} />
    </form>
  );
}

/** Address, key, model and time of a service, or the file of a model. */
export function ServiceFields({
  kind,
  draft,
  onChange,
  hasPrices = kind !== 'ocr',
}: {
  kind: ProviderKind;
  hasPrices?: boolean;
  draft: ProviderDraft;
  onChange: (change: Partial<ProviderDraft>) => void;
}) {
  const { t } = useTranslation('settings');
  const { data: credentials = [] } = useCredentials();
  if (draft.type === 'local') return <LocalFields draft={draft} onChange={onChange} />;
  const own = credentials.filter(({ type }) => type === draft.type).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      {kind !== 'ocr' && (
        <Field label={t('provider_model')} hint={t('provider_model_hint')}>
          {(control) => (
            <Input
              {...control}
              required
              spellCheck={false}
              maxLength={200}
              value={draft.model}
              onChange={(event) => onChange({ model: event.target.value })}
            />
          )}
        </Field>
      )}
      {own.length > 0 && (
        <Field label={t('provider_credential')} hint={t('provider_credential_hint')}>
          {(control) => (
            <Select
              {...control}
              value={draft.credentialId}
              options={[{ value: '', label: t('provider_credential_none') }, ...own]}
              onChange={(event) => onChange({ credentialId: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field label={t('provider_address')} hint={t('provider_address_hint')}>
        {(control) => (
          <Input
            {...control}
            inputMode="url"
            spellCheck={false}
            placeholder={draft.credentialId === '' ? usualAddress(draft.type) : undefined}
            value={draft.address}
            onChange={(event) => onChange({ address: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('provider_key')} hint={t('hint_oidc_client_secret')}>
        {(control) => (
          <SecretInput
            {...control}
            autoComplete="new-password"
            labels={{ show: t('provider_key_show'), hide: t('provider_key_hide') }}
            placeholder={draft.hasKey ? t('secret_kept') : undefined}
            value={draft.key}
            onChange={(event) => onChange({ key: event.target.value })}
          />
        )}
      </Field>
      <TimeoutField draft={draft} onChange={onChange} />
      {hasPrices && <PriceFields draft={draft} onChange={onChange} />}
    </>
  );
}
