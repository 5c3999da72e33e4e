import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingName } from '../../../src-shared/contract/setting-keys.ts';
import type { SettingsPatch, SettingsView } from '../../../src-shared/contract/settings.ts';
import { ApiError } from '../../client/api.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Input, Select, type FieldControl } from '../../ui/field.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../ui/states.tsx';
import type { Messages } from '../../locales/en.ts';
import { draftOf, kindOf, patchOf, rangeOf, type Draft } from './setting-draft.ts';
import { useSaveSettings, useSettings } from './queries.ts';

type Choices = { [N in SettingName]?: readonly { value: string; label: string }[] };

/** A form of the named settings that saves changed values. `choices` are the options of settings with a fixed list. */
export function SettingForm({ names, choices = {} }: { names: readonly SettingName[]; choices?: Choices }) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useSettings();
  if (error)
    return (
      <ErrorState message={vocabulary.error(error)} retryLabel={t('action.retry')} onRetry={() => void refetch()} />
    );
  if (!data) return <SkeletonLines count={names.length} label={t('app.loading')} />;
  // The key resets the form when values change elsewhere, such as in another tab or by Undo.
  return <Form key={JSON.stringify(draftOf(data, names))} view={data} names={names} choices={choices} />;
}

function Form({ view, names, choices }: { view: SettingsView; names: readonly SettingName[]; choices: Choices }) {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const save = useSaveSettings();
  const [draft, setDraft] = useState<Draft>(() => draftOf(view, names));
  const patch = patchOf(view, draft);
  const isDirty = Object.keys(patch).length > 0;
  const rejected =
    save.error instanceof ApiError
      ? new Set(save.error.issues.map((issue) => issue.path.split('.')[1]))
      : new Set<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isDirty) save.mutate(patch as SettingsPatch);
  };
  return (
    <form className="panel-body stack settings-form" onSubmit={submit}>
      {save.isError && rejected.size === 0 && <Notice tone="bad">{vocabulary.error(save.error)}</Notice>}
      {names.map((name) => (
        <SettingField
          key={name}
          name={name}
          view={view}
          value={draft[name] ?? ''}
          choices={choices[name]}
          isRejected={rejected.has(name)}
          onChange={(value) => setDraft({ ...draft, [name]: value })}
        />
      ))}
      <div className="row">
        <Button type="submit" variant="primary" disabled={!isDirty || save.isPending}>
          {t('save')}
        </Button>
        {isDirty && (
          <Button
            onClick={() => {
              save.reset();
              setDraft(draftOf(view, names));
            }}
          >
            {t('discard')}
          </Button>
        )}
      </div>
    </form>
  );
}

const INPUT_MODES: Partial<Record<ReturnType<typeof kindOf>, 'decimal' | 'url'>> = {
  number: 'decimal',
  address: 'url',
};

function SettingField({
  name,
  view,
  value,
  choices,
  isRejected,
  onChange,
}: {
  name: SettingName;
  view: SettingsView;
  value: string | boolean;
  choices: Choices[SettingName];
  isRejected: boolean;
  onChange: (value: string | boolean) => void;
}) {
  const { t, i18n } = useTranslation('settings');
  const label = t(`field_${name}`);
  const hintKey = `hint_${name}` as keyof Messages['settings'];
  const hint = i18n.exists(hintKey, { ns: 'settings' }) ? String(t(hintKey)) : undefined;
  const kind = kindOf(name);
  const problem = useProblem(name);
  if (kind === 'switch')
    return (
      <div>
        <Checkbox label={label} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
        {hint && <p className="form-hint settings-indent">{hint}</p>}
      </div>
    );
  const error = isRejected ? problem : undefined;
  const text = String(value);
  const control = (attributes: FieldControl) => {
    if (choices)
      return (
        <Select {...attributes} value={text} options={choices} onChange={(event) => onChange(event.target.value)} />
      );
    const isStored = kind === 'secret' && (view as Record<string, unknown>)[`has_${name}`] === true;
    return (
      <Input
        {...attributes}
        type={kind === 'secret' ? 'password' : 'text'}
        inputMode={INPUT_MODES[kind]}
        autoComplete={kind === 'secret' ? 'new-password' : 'off'}
        spellCheck={false}
        className={kind === 'number' ? 'settings-number num' : undefined}
        placeholder={isStored ? t('secret_kept') : undefined}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {control}
    </Field>
  );
}

/** Why a value of this setting can be rejected. */
function useProblem(name: SettingName): string {
  const { t } = useTranslation('settings');
  const range = rangeOf(name);
  if (range) return t('bad_range', range);
  if (kindOf(name) !== 'address') return t('bad_value');
  return t(name === 'oidc_provider_url' ? 'bad_safe_address' : 'bad_address');
}
