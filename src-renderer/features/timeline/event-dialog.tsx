import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { EVENT_TYPES, SEVERITIES, type EventDetail, type EventType } from '../../../src-shared/contract/events.ts';
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

const EMPTY_DRAFT: EventDraft = {
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

/** The form of a new or an existing event. */
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
  const vocabulary = useVocabulary();
  const { save } = useEventActions();
  const [draft, setDraft] = useState<EventDraft>(event ? draftOf(event) : EMPTY_DRAFT);
  const [hasInvalidDate, setHasInvalidDate] = useState(false);
  const set = (part: Partial<EventDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const failure = save.error;
  const issueAt = (field: string): string | undefined => vocabulary.fieldError(failure, field);
  const submit = (submission: FormEvent): void => {
    submission.preventDefault();
    // React events bubble through portals, so a form around this dialog would be submitted, too.
    submission.stopPropagation();
    if (hasInvalidDate || save.isPending) return;
    const onSuccess = (id: number): void => {
      onClose();
      onSaved(id);
    };
    const dates = { date_end: draft.is_ongoing ? null : draft.date_end };
    save.mutate({ event, patient, draft: { ...draft, ...dates } }, { onSuccess });
  };
  return (
    <Dialog open onOpenChange={onClose} title={event ? t('edit_event') : t('new_event')} wide>
      <form className="stack" onSubmit={submit}>
        {failure && !Object.keys(draft).some(issueAt) && <Notice tone="bad">{vocabulary.error(failure)}</Notice>}
        <TitleField draft={draft} errorOf={issueAt} onChange={set} />
        <div className="tl-form">
          <TypeFields draft={draft} onChange={set} />
          <DateFields draft={draft} errorOf={issueAt} onChange={set} onInvalid={setHasInvalidDate} />
          <TextFields draft={draft} errorOf={issueAt} onChange={set} />
          <Colors value={draft.color ?? null} type={draft.event_type ?? 'other'} onChange={(color) => set({ color })} />
        </div>
        <NoteFields draft={draft} errorOf={issueAt} onChange={set} />
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

interface FieldsProps {
  draft: EventDraft;
  onChange: (part: Partial<EventDraft>) => void;
}
interface CheckedFieldsProps extends FieldsProps {
  errorOf: (field: string) => string | undefined;
}

function TitleField({ draft, errorOf, onChange }: CheckedFieldsProps) {
  const { t } = useTranslation('timeline');
  return (
    <Field label={t('field_title')} error={errorOf('title')}>
      {(control) => (
        <Input
          {...control}
          required
          autoFocus
          maxLength={200}
          value={draft.title}
          onChange={(change) => onChange({ title: change.target.value })}
        />
      )}
    </Field>
  );
}

function NoteFields({ draft, errorOf, onChange }: CheckedFieldsProps) {
  const { t } = useTranslation('timeline');
  return (['description', 'notes'] as const).map((name) => (
    <Field key={name} label={t(`field_${name}`)} error={errorOf(name)}>
      {(control) => (
        <TextArea
          {...control}
          value={draft[name] ?? ''}
          onChange={(change) => onChange({ [name]: change.target.value || null })}
        />
      )}
    </Field>
  ));
}

function TypeFields({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation('timeline');
  const labels = useEventLabels();
  return (
    <>
      <Field label={t('field_type')}>
        {(control) => (
          <Select
            {...control}
            value={draft.event_type ?? 'other'}
            options={EVENT_TYPES.map((type) => ({ value: type, label: labels.type(type) }))}
            onChange={(change) => onChange({ event_type: change.target.value as EventType })}
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
            onChange={(change) => onChange({ severity: (change.target.value || null) as EventDraft['severity'] })}
          />
        )}
      </Field>
    </>
  );
}

function DateFields({
  draft,
  errorOf,
  onChange,
  onInvalid,
}: CheckedFieldsProps & { onInvalid: (invalid: boolean) => void }) {
  const { t } = useTranslation('timeline');
  const { locale } = useFormats();
  const [invalid, setInvalid] = useState({ date_start: false, date_end: false });
  const mark = (name: keyof typeof invalid, isInvalid: boolean): void => {
    const next = { ...invalid, [name]: isInvalid };
    setInvalid(next);
    onInvalid(next.date_start || next.date_end);
  };
  return (
    <>
      {(['date_start', 'date_end'] as const).map((name) => (
        <Field
          key={name}
          label={name === 'date_start' ? t('field_start') : t('field_end')}
          error={invalid[name] ? t('bad_date') : errorOf(name)}
        >
          {(control) => (
            <DateInput
              {...control}
              locale={locale}
              value={draft[name] ?? ''}
              disabled={name === 'date_end' && draft.is_ongoing}
              onInvalid={(isInvalid) => mark(name, isInvalid)}
              onChange={(civil) => onChange({ [name]: civil || null })}
            />
          )}
        </Field>
      ))}
      <span className="tl-form-wide">
        <Checkbox
          label={t('field_ongoing')}
          checked={draft.is_ongoing ?? false}
          onChange={(change) => onChange({ is_ongoing: change.target.checked })}
        />
      </span>
    </>
  );
}

function TextFields({ draft, errorOf, onChange }: CheckedFieldsProps) {
  const { t } = useTranslation('timeline');
  const fields = [
    { name: 'diagnosis_text', label: t('field_diagnosis') },
    { name: 'icd10_code', label: t('field_icd') },
    { name: 'specialty_text', label: t('field_specialty') },
  ] as const;
  return fields.map(({ name, label }) => (
    <Field key={name} label={label} error={errorOf(name)}>
      {(control) => (
        <Input
          {...control}
          value={draft[name] ?? ''}
          onChange={(change) => onChange({ [name]: change.target.value || null })}
        />
      )}
    </Field>
  ));
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
