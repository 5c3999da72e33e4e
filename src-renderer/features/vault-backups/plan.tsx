import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupPlan } from '../../../src-shared/contract/vault-backups.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { draftOf, KEEP_LIMITS, planOf, type PlanDraft } from './plan-draft.ts';
import { useSavePlan } from './queries.ts';

const KEEPS = ['keep_daily', 'keep_weekly', 'keep_monthly'] as const;

/** Where backups go, when they are made, and how many are kept. */
export function PlanForm({ plan }: { plan: BackupPlan }) {
  const { t } = useTranslation('vault_backups');
  const vocabulary = useVocabulary();
  const { show } = useToasts();
  const save = useSavePlan();
  const [draft, setDraft] = useState<PlanDraft>(() => draftOf(plan));
  const next = planOf(draft);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(plan));
  const set = (part: Partial<PlanDraft>): void => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (next && isDirty) save.mutate(next, { onSuccess: () => show({ text: t('saved') }) });
  };
  return (
    <Panel title={t('plan')}>
      <form className="panel-body stack backup-plan" onSubmit={submit}>
        {save.isError && <Notice tone="bad">{vocabulary.error(save.error)}</Notice>}
        <Field label={t('folder')} hint={draft.folder.trim() === '' ? t('folder_none') : t('folder_hint')}>
          {(control) => (
            <Input
              {...control}
              className="mono"
              spellCheck={false}
              autoComplete="off"
              value={draft.folder}
              onChange={(event) => set({ folder: event.target.value })}
            />
          )}
        </Field>
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
        </div>
      </form>
    </Panel>
  );
}

interface FieldsProps {
  draft: PlanDraft;
  onChange: (part: Partial<PlanDraft>) => void;
}

/** How often and at what time backups are made. */
function ScheduleFields({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation('vault_backups');
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
        <Field label={t('at')}>
          {(control) => (
            <Input
              {...control}
              className="num"
              type="time"
              required
              value={draft.at}
              onChange={(event) => onChange({ at: event.target.value })}
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
