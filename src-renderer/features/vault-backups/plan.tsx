import { useMutation } from '@tanstack/react-query';
import { FolderOpen } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupPlan } from '../../../src-shared/contract/vault-backups.ts';
import { ApiError } from '../../client/api.ts';
import { localeOf } from '../../client/language.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import { TimeInput } from '../../ui/time-input.tsx';
import { useToasts } from '../../client/toasts.tsx';
import { draftOf, KEEP_LIMITS, planOf, type PlanDraft } from './plan-draft.ts';
import { FolderPicker, makeFolder } from '../../client/folder-picker.tsx';
import { useSavePlan } from './queries.ts';

const KEEPS = ['keep_daily', 'keep_weekly', 'keep_monthly'] as const;

/** Where backups go, when they are made, and how many are kept. */
export function PlanForm({ plan }: { plan: BackupPlan }) {
  const { t } = useTranslation('vault_backups');
  const { show } = useToasts();
  const save = useSavePlan();
  const [draft, setDraft] = useState<PlanDraft>(() => draftOf(plan));
  const next = planOf(draft);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(plan));
  const set = (part: Partial<PlanDraft>): void => setDraft({ ...draft, ...part });
  const store = (): void => {
    if (next)
      save.mutate(next, { onSuccess: () => show({ text: (words) => words.t('saved', { ns: 'vault_backups' }) }) });
  };
  const why = next ? t('nothing_to_save') : t('not_valid');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isDirty) store();
  };
  return (
    <Panel title={t('plan')}>
      <form className="panel-body stack backup-plan" onSubmit={submit}>
        <FolderField plan={plan} draft={draft} save={save} onChange={set} onMade={store} />
        <ScheduleFields draft={draft} onChange={set} />
        {draft.every !== 'off' && <p className="form-hint">{t('at_hint')}</p>}
        <RetentionFields plan={plan} draft={draft} onChange={set} />
        <div>
          <Checkbox
            label={t('include_secrets')}
            checked={draft.include_secrets}
            onChange={(event) => set({ include_secrets: event.target.checked })}
          />
          <p className="form-hint settings-indent">{t('include_secrets_hint')}</p>
        </div>
        <div className="row">
          <Button type="submit" variant="primary" disabled={!isDirty || !next || save.isPending}>
            {t('save')}
          </Button>
          {isDirty && (
            <Button
              onClick={() => {
                save.reset();
                setDraft(draftOf(plan));
              }}
            >
              {t('discard')}
            </Button>
          )}
          {(!isDirty || !next) && <span className="cap">{why}</span>}
        </div>
      </form>
    </Panel>
  );
}

/** The folder, typed or chosen; one that does not exist can be created. `onMade` is called after that. */
function FolderField({
  plan,
  draft,
  save,
  onChange,
  onMade,
}: FieldsProps & { save: ReturnType<typeof useSavePlan>; onMade: () => void }) {
  const { t } = useTranslation('vault_backups');
  const vocabulary = useVocabulary();
  const [isPicking, setPicking] = useState(false);
  const create = useMutation({ mutationFn: () => makeFolder(draft.folder.trim()), onSuccess: onMade });
  const isMissing = save.error instanceof ApiError && save.error.code === 'backup.folder_missing';
  const failure = create.error ?? (isMissing ? null : save.error);
  const change = (folder: string): void => {
    save.reset();
    create.reset();
    onChange({ folder });
  };
  return (
    <>
      {failure && <Notice tone="bad">{vocabulary.error(failure)}</Notice>}
      {isMissing && (
        <Notice tone="warn">
          {t('folder_absent', { folder: draft.folder.trim() })}{' '}
          <Button size="small" disabled={create.isPending} onClick={() => create.mutate()}>
            {t('folder_create_it')}
          </Button>
        </Notice>
      )}
      <Field label={t('folder')} hint={draft.folder.trim() === '' ? t('folder_none') : t('folder_hint')}>
        {(control) => (
          <span className="path-field">
            <Input
              {...control}
              className="mono"
              spellCheck={false}
              autoComplete="off"
              value={draft.folder}
              onChange={(event) => change(event.target.value)}
            />
            <Button glyph={FolderOpen} onClick={() => setPicking(true)}>
              {t('folder_choose')}
            </Button>
          </span>
        )}
      </Field>
      {isPicking && (
        <FolderPicker
          title={t('picker_title')}
          start={plan.folder ?? undefined}
          onClose={() => setPicking(false)}
          onChoose={(folder) => {
            setPicking(false);
            change(folder);
          }}
        />
      )}
    </>
  );
}

interface FieldsProps {
  plan: BackupPlan;
  draft: PlanDraft;
  onChange: (part: Partial<PlanDraft>) => void;
}

/** How often and at what time backups are made. */
function ScheduleFields({ draft, onChange }: Omit<FieldsProps, 'plan'>) {
  const { t, i18n } = useTranslation('vault_backups');
  return (
    <div className="backup-when">
      <Field label={t('every')}>
        {(control) => (
          <Select
            {...control}
            value={draft.every}
            options={[
              { value: 'day', label: t('every_day') },
              { value: 'week', label: t('every_week') },
              { value: 'off', label: t('every_off') },
            ]}
            onChange={(event) => onChange({ every: event.target.value as PlanDraft['every'] })}
          />
        )}
      </Field>
      {draft.every !== 'off' && (
        <Field label={t('at')} error={draft.at === '' ? t('at_bad') : undefined}>
          {(control) => (
            <TimeInput
              {...control}
              className="num"
              locale={localeOf(i18n.language)}
              value={draft.at}
              onChange={(at) => onChange({ at })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

/** How many daily, weekly and monthly backups are kept. */
function RetentionFields({ plan, draft, onChange }: FieldsProps & { plan: BackupPlan }) {
  const { t } = useTranslation('vault_backups');
  return (
    <fieldset className="backup-keep">
      <legend className="form-label">{t('keep')}</legend>
      {KEEPS.map((name) => {
        const [min, max] = KEEP_LIMITS[name];
        return (
          <Field
            key={name}
            label={t(name)}
            error={planOf({ ...draftOf(plan), [name]: draft[name] }) ? undefined : t('keep_bad', { min, max })}
          >
            {(control) => (
              <Input
                {...control}
                className="num"
                inputMode="numeric"
                value={draft[name]}
                onChange={(event) => onChange({ [name]: event.target.value })}
              />
            )}
          </Field>
        );
      })}
    </fieldset>
  );
}
