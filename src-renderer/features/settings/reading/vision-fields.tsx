import { useTranslation } from 'react-i18next';
import { Field, Select } from '../../../ui/field.tsx';
import type { ProviderDraft } from './provider-draft.ts';
import { useProviders } from './provider-queries.ts';
import { TimeoutField } from './timeout-field.tsx';

/** Which of the vision models recognizes text. */
export function VisionFields({
  draft,
  onChange,
}: {
  draft: ProviderDraft;
  onChange: (change: Partial<ProviderDraft>) => void;
}) {
  const { t } = useTranslation('settings');
  const { data: models = [] } = useProviders('vision');
  const known = models.map(({ id, name }) => ({ value: id, label: name }));
  const saved = draft.eyes !== '' && !models.some(({ id }) => id === draft.eyes);
  return (
    <>
      <Field label={t('provider_eyes')} hint={t('provider_eyes_hint')}>
        {(control) => (
          <Select
            {...control}
            value={draft.eyes}
            options={[
              { value: '', label: t('provider_eyes_first') },
              ...known,
              // A program may have named a type instead.
              ...(saved ? [{ value: draft.eyes, label: draft.eyes }] : []),
            ]}
            onChange={(event) => onChange({ eyes: event.target.value })}
          />
        )}
      </Field>
      <TimeoutField draft={draft} onChange={onChange} />
    </>
  );
}
