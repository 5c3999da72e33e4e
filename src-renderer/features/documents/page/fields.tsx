import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DOCUMENT_TYPES } from '../../../../src-shared/medical/document-type.ts';
import type { DocumentDetail, Evidence } from '../../../../src-shared/contract/rows.ts';
import { useSpecialtyName } from '../../../client/entry-name.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { usePatients } from '../../../client/session.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { EventField } from './event-field.tsx';
import { ChoiceField, DateField, NameField, TextField } from './field-editors.tsx';
import { EditableRow } from './editable-row.tsx';
import { tagsOf, type EditableField, type FieldValue } from './changes.ts';
import { fieldPlace, isEdited, isUnsure, placeOf } from './places.ts';
import { useSpecialties } from './queries.ts';
import type { Editing, Highlight } from './highlight.ts';
import { useEdits } from './use-edits.ts';

const INSURANCE = fieldPlace('insurance_company');

const FIELDS: readonly EditableField[] = [
  'doc_type',
  'event_date',
  'issued_date',
  'doctor_name',
  'facility_name',
  'specialty_original',
  'patient_id',
  'event_id',
  'tags',
  'user_notes',
];

/** The fields of a document. Each can be edited in place and shows where its value was read. */
export function Fields({
  document,
  mayEdit,
  editing,
  onEdit,
  ...highlight
}: { document: DocumentDetail; mayEdit: boolean } & Editing & Highlight) {
  const { t } = useTranslation('document');
  const specialtyName = useSpecialtyName();
  const specialties = (useSpecialties(document.patient_id).data ?? []).map(specialtyName);
  const { change, rejection } = useEdits(document);
  return (
    <dl className="fields">
      {FIELDS.map((field) => {
        const label = t(`field_${field as 'doc_type'}`);
        return (
          <FieldRow
            key={field}
            document={document}
            field={field}
            label={label}
            mayEdit={mayEdit}
            isEditing={editing === field}
            onEdit={(on) => onEdit(on ? field : null)}
            error={rejection?.field === field ? rejection.message : null}
            editor={(close) => (
              <FieldEditor
                document={document}
                field={field}
                label={label}
                specialties={specialties}
                onSave={(value) => change(field, value)}
                onClose={close}
              />
            )}
            {...highlight}
          />
        );
      })}
      <InsuranceRow document={document} {...highlight} />
    </dl>
  );
}

/** One field with its evidence. The link of the event leads to the timeline, all others to the page. */
function FieldRow({
  document,
  field,
  highlighted,
  onHighlight,
  onShow,
  ...row
}: {
  document: DocumentDetail;
  field: EditableField;
  label: string;
  mayEdit: boolean;
  isEditing: boolean;
  error: string | null;
  editor: (close: () => void) => ReactNode;
  onEdit: (on: boolean) => void;
} & Highlight) {
  const { t } = useTranslation('document');
  const navigate = useNavigate();
  const value = useFieldValue(document, field);
  const key = fieldPlace(field);
  const evidence = placeOf(document, key);
  const event = field === 'event_id' ? document.event_id : null;
  const sourceNote = useSourceNote(document, field, evidence);
  const openNote = (): void => {
    if (event !== null)
      void navigate({ to: '/timeline', search: { patient: String(document.patient_id), event: String(event) } });
    else if (evidence) onShow(key);
  };
  return (
    <EditableRow
      {...row}
      value={value}
      isHighlighted={highlighted === key}
      onHighlight={(on) => onHighlight(on && evidence ? key : null)}
      onShow={openNote}
      note={event === null ? sourceNote : t('on_timeline')}
      unsure={isUnsure(evidence) ? t('unsure') : null}
    />
  );
}

/** Where a value came from: a user, the upload, or the printed words on a page. */
function useSourceNote(document: DocumentDetail, field: EditableField, evidence: Evidence | null): string {
  const { t } = useTranslation('document');
  if (isEdited(document, field)) return t('source_user');
  const source = field === 'patient_id' ? document.patient_source : 'page';
  if (source === 'upload' || source === 'inbox') return t(`source_${source}`);
  if (!evidence) return '';
  const label = evidence.label ? `${evidence.label.replace(/:$/, '')} · ` : '';
  return label + t('page', { page: evidence.page });
}

/** The insurer and the policy; read from the document and not editable. */
function InsuranceRow({
  document,
  highlighted,
  onHighlight,
  onShow,
}: { document: DocumentDetail } & Highlight): ReactNode {
  const { t } = useTranslation('document');
  const insurance = [document.insurance_company, document.insurance_policy].filter(Boolean);
  const evidence = placeOf(document, INSURANCE);
  if (insurance.length === 0) return null;
  return (
    <EditableRow
      label={t('field_insurance')}
      value={insurance.join(' · ')}
      note={evidence ? t('page', { page: evidence.page }) : ''}
      unsure={isUnsure(evidence) ? t('unsure') : null}
      error={null}
      mayEdit={false}
      isEditing={false}
      editor={() => null}
      onEdit={() => undefined}
      isHighlighted={highlighted === INSURANCE}
      onHighlight={(on) => onHighlight(on && evidence ? INSURANCE : null)}
      onShow={() => onShow(INSURANCE)}
    />
  );
}

/** A field's value as the page shows it. */
function useFieldValue(document: DocumentDetail, field: EditableField): ReactNode {
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const specialtyName = useSpecialtyName();
  switch (field) {
    case 'doc_type':
      return vocabulary.documentType(document.doc_type);
    case 'event_date':
    case 'issued_date':
      return formats.dateFull(document[field]);
    case 'specialty_original':
      return specialtyName(document.specialty_display);
    case 'patient_id':
      return document.patient_name;
    case 'event_id':
      return document.event_title;
    case 'tags':
      return tagList(document.tags);
    default:
      return document[field];
  }
}

function tagList(text: string | null): ReactNode {
  const tags = tagsOf(text);
  if (tags.length === 0) return null;
  return (
    <span className="row tag-list">
      {tags.map((tag) => (
        <Tag key={tag} title={tag}>
          {tag}
        </Tag>
      ))}
    </span>
  );
}

/** The control that edits a field. */
function FieldEditor({
  document,
  field,
  specialties,
  onSave,
  ...editor
}: {
  document: DocumentDetail;
  field: EditableField;
  label: string;
  specialties: readonly string[];
  onSave: (value: FieldValue) => void;
  onClose: () => void;
}) {
  const { locale } = useFormats();
  const saveText = (text: string | null): void => onSave({ text });
  switch (field) {
    case 'doc_type':
      return <DocumentTypeField {...editor} value={document.doc_type} onSave={saveText} />;
    case 'patient_id':
      return <PatientField {...editor} value={document.patient_id} onSave={saveText} />;
    case 'event_date':
    case 'issued_date':
      return <DateField {...editor} value={document[field]} locale={locale} onSave={saveText} />;
    case 'doctor_name':
    case 'facility_name':
      return (
        <NameField
          {...editor}
          kind={field === 'doctor_name' ? 'doctors' : 'facilities'}
          value={document[field]}
          patientId={document.patient_id}
          onSave={onSave}
        />
      );
    case 'event_id':
      return (
        <EventField
          {...editor}
          document={document}
          onSave={(eventId) => saveText(eventId === null ? null : String(eventId))}
        />
      );
    case 'specialty_original':
      return (
        <SpecialtyField {...editor} suggestions={specialties} value={document.specialty_display} onSave={saveText} />
      );
    default:
      return <TextField {...editor} isLong={field === 'user_notes'} value={document[field]} onSave={saveText} />;
  }
}

/** The specialty by its name in the language of the reader, in which it can be typed as well. */
function SpecialtyField({ value, onSave, ...props }: ChoiceProps<string | null> & { suggestions: readonly string[] }) {
  const shown = useSpecialtyName()(value);
  return (
    <TextField
      {...props}
      value={shown}
      onSave={(text) => {
        if (text !== shown) onSave(text);
      }}
    />
  );
}

interface ChoiceProps<V> {
  label: string;
  value: V;
  onSave: (text: string | null) => void;
  onClose: () => void;
}

function DocumentTypeField(props: ChoiceProps<DocumentDetail['doc_type']>) {
  const vocabulary = useVocabulary();
  const options = DOCUMENT_TYPES.map((type) => ({ value: type, label: vocabulary.documentType(type) }));
  return <ChoiceField {...props} options={options} />;
}

function PatientField({ value, ...props }: ChoiceProps<number | null>) {
  const options = usePatients().map((patient) => ({ value: String(patient.id), label: patient.display_name }));
  return <ChoiceField {...props} value={value === null ? null : String(value)} options={options} />;
}
