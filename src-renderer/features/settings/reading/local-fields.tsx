import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../client/format.ts';
import { Field, Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';
import type { ProviderDraft } from './provider-draft.ts';
import { useLocalModels } from './provider-queries.ts';
import { TimeoutField } from './timeout-field.tsx';

/** The file of a model that Hearth runs itself, and its time. */
export function LocalFields({
  draft,
  onChange,
}: {
  draft: ProviderDraft;
  onChange: (change: Partial<ProviderDraft>) => void;
}) {
  const { t } = useTranslation('settings');
  const formats = useFormats();
  const { data } = useLocalModels();
  if (!data) return null;
  const files = data.models.map(({ name, size_bytes }) => ({
    value: name,
    label: t('local_model_size', { name, size: formats.bytes(size_bytes) }),
  }));
  // The saved file may be missing now.
  if (draft.model !== '' && !files.some(({ value }) => value === draft.model))
    files.unshift({ value: draft.model, label: draft.model });
  return (
    <>
      {data.models.length === 0 && <Notice tone="warn">{t('local_models_none', { folder: data.folder })}</Notice>}
      <Field
        label={t('local_model')}
        hint={t('local_model_hint', { folder: data.folder, free: formats.bytes(data.free_bytes) })}
      >
        {(control) => (
          <Select
            {...control}
            required
            value={draft.model}
            options={[{ value: '', label: t('local_model_choose') }, ...files]}
            onChange={(event) => onChange({ model: event.target.value })}
          />
        )}
      </Field>
      <TimeoutField draft={draft} onChange={onChange} />
    </>
  );
}
