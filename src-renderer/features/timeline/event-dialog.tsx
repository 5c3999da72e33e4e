import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { EVENT_TYPES, SEVERITIES, type EventDetail, type EventType } from '../../../src-shared/contract/events.ts';
import { ApiError } from '../../client/api.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { DateInput } from '../../ui/date-input.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field, Input, Select, TextArea } from '../../ui/field.tsx';
import { Notice } from '../../ui/states.tsx';
import { colorOf, EVENT_COLORS } from './colors.ts';
import { draftOf, useEventActions, type EventDraft } from './use-event-actions.ts';
import { useEventLabels } from './labels.ts';

const EMPTY: EventDraft = {
  title: '',
  event_type: 'other',
  date_start: null,
  date_end: null,
  is_ongoing: false,
  severity: null,
  diagnosis_text: null,
  icd10_code: null,
  specialty_text: null,
  description: null,
  notes: null,
  color: null,
};

/** A new event, or the fields of one. */
export function EventDialog({
  patient,
  event,
  onClose,
  onSaved,
}: {
  patient: number;
  event: EventDetail | null;
  onClose: () => void;
  onSaved: (id: number) => void;
}) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const eventLabels = useEventLabels();
  const { save } = useEventActions();
  const [draft, setDraft] = useState<EventDraft>(event ? draftOf(event) : EMPTY);
  const [bad, setBad] = useState({ start: false, end: false });
  const set = (part: Partial<EventDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const failure = save.error;
  const issueAt = (field: string): string | undefined =>
    failure instanceof ApiError ? failure.issues.find((issue) => issue.path === `body.${field}`)?.message : undefined;
  const submit = (submitted: FormEvent): void => {
    submitted.preventDefault();
    // A form inside of a sheet inside of React bubbles on; only this one is meant.
    submitted.stopPropagation();
    if (bad.start || bad.end || save.isPending) return;
    save.mutate(
      { event, patient, draft: { ...draft, date_end: draft.is_ongoing ? null : draft.date_end } },
      {
        onSuccess: (id) => {
          onClose();
          onSaved(id);
        },
      },
    );
  };
  const text = (name: 'diagnosis_text' | 'icd10_code' | 'specialty_text', label: string) => (
    <Field label={label} error={issueAt(name)}>
      {(control) => (
        <Input
          {...control}
          value={draft[name] ?? ''}
          onChange={(typed) => set({ [name]: typed.target.value || null })}
        />
      )}
    </Field>
  );
  const date = (name: 'date_start' | 'date_end', label: string, which: 'start' | 'end') => (
    <Field label={label} error={bad[which] ? t('bad_date') : issueAt(name)}>
      {(control) => (
        <DateInput
          {...control}
          locale={formats.locale}
          value={draft[name] ?? ''}
          disabled={which === 'end' && draft.is_ongoing}
          onInvalid={(invalid) => setBad((before) => ({ ...before, [which]: invalid }))}
          onChange={(civil) => set({ [name]: civil || null })}
        />
      )}
    </Field>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={event ? t('edit_event') : t('new_event')}
      wide
    >
      <form className="stack" onSubmit={submit}>
        {failure && !(failure instanceof ApiError && failure.issues.length > 0) && (
          <Notice tone="bad">{vocabulary.error(failure)}</Notice>
        )}
        <Field label={t('field_title')} error={issueAt('title')}>
          {(control) => (
            <Input
              {...control}
              required
              autoFocus
              maxLength={200}
              value={draft.title}
              onChange={(typed) => set({ title: typed.target.value })}
            />
          )}
        </Field>
        <div className="tl-form">
          <Field label={t('field_type')}>
            {(control) => (
              <Select
                {...control}
                value={draft.event_type ?? 'other'}
                options={EVENT_TYPES.map((type) => ({ value: type, label: eventLabels.type(type) }))}
                onChange={(selected) => set({ event_type: selected.target.value as EventType })}
              />
            )}
          </Field>
          <Field label={t('field_severity')}>
            {(control) => (
              <Select
                {...control}
                value={draft.severity ?? ''}
                options={[
                  { value: '', label: t('not_set') },
                  ...SEVERITIES.map((severity) => ({ value: severity, label: t(`severity_${severity}`) })),
                ]}
                onChange={(selected) => set({ severity: (selected.target.value || null) as EventDraft['severity'] })}
              />
            )}
          </Field>
          {date('date_start', t('field_start'), 'start')}
          {date('date_end', t('field_end'), 'end')}
          <span className="tl-form-wide">
            <Checkbox
              label={t('field_ongoing')}
              checked={draft.is_ongoing ?? false}
              onChange={(ticked) => set({ is_ongoing: ticked.target.checked })}
            />
          </span>
          {text('diagnosis_text', t('field_diagnosis'))}
          {text('icd10_code', t('field_icd'))}
          {text('specialty_text', t('field_specialty'))}
          <Colors value={draft.color ?? null} type={draft.event_type ?? 'other'} onChange={(color) => set({ color })} />
        </div>
        <Field label={t('field_description')}>
          {(control) => (
            <TextArea
              {...control}
              value={draft.description ?? ''}
              onChange={(typed) => set({ description: typed.target.value || null })}
            />
          )}
        </Field>
        <Field label={t('field_notes')}>
          {(control) => (
            <TextArea
              {...control}
              value={draft.notes ?? ''}
              onChange={(typed) => set({ notes: typed.target.value || null })}
            />
          )}
        </Field>
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" aria-disabled={save.isPending}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Colors({
  value,
  type,
  onChange,
}: {
  value: string | null;
  type: EventType;
  onChange: (color: string | null) => void;
}) {
  const { t } = useTranslation('timeline');
  return (
    <fieldset className="form-field">
      <legend className="form-label">{t('field_color')}</legend>
      <div className="tl-swatches">
        {[null, ...EVENT_COLORS].map((color, n) => (
          <label
            key={color ?? 'type'}
            className="tl-swatch"
            title={color === null ? t('color_of_type') : t('color_n', { n })}
          >
            <input
              type="radio"
              name="color"
              className="sr-only"
              checked={value === color}
              onChange={() => onChange(color)}
              aria-label={color === null ? t('color_of_type') : t('color_n', { n })}
            />
            <i
              className="tl-dot"
              data-of-type={color === null || undefined}
              style={{ '--mark': colorOf(color, type) } as React.CSSProperties}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
