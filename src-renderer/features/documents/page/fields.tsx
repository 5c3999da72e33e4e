import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DOCUMENT_TYPES } from '../../../../src-shared/medical/document-type.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { usePatients } from '../../../client/session.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { EventField } from './event-field.tsx';
import { ChoiceField, DateField, NameField, TextField } from './field-editors.tsx';
import { EditableRow } from './editable-row.tsx';
import { tagsOf, type EditableField } from './changes.ts';
import { fieldPlace, isUnsure, placeOf } from './places.ts';
import { useSpecialties } from './queries.ts';
import type { Editing, Highlight } from './highlight.ts';
import { useEdits } from './use-edits.ts';

const INSURANCE = fieldPlace('insurance_company');

/** The fields of a document; each can be changed in place and shows where it was read. */
export function Fields({
  document,
  mayEdit,
  editing,
  onEdit,
  highlighted,
  onHighlight,
  onShow,
}: { document: DocumentDetail; mayEdit: boolean } & Editing & Highlight) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const navigate = useNavigate();
  const patients = usePatients();
  const specialties = useSpecialties(document.patient_id).data ?? [];
  const { change, refused } = useEdits(document);
  const rows: { field: EditableField; shown: ReactNode; editor: (close: () => void) => ReactNode }[] = [
    {
      field: 'doc_type',
      shown: vocabulary.documentType(document.doc_type),
      editor: (close) => (
        <ChoiceField
          value={document.doc_type}
          options={DOCUMENT_TYPES.map((type) => ({ value: type, label: vocabulary.documentType(type) }))}
          onSave={(text) => change('doc_type', { text })}
          onClose={close}
          label={t('field_doc_type')}
        />
      ),
    },
    {
      field: 'event_date',
      shown: formats.dateFull(document.event_date),
      editor: (close) => (
        <DateField
          value={document.event_date}
          locale={formats.locale}
          onSave={(text) => change('event_date', { text })}
          onClose={close}
          label={t('field_event_date')}
        />
      ),
    },
    {
      field: 'issued_date',
      shown: formats.dateFull(document.issued_date),
      editor: (close) => (
        <DateField
          value={document.issued_date}
          locale={formats.locale}
          onSave={(text) => change('issued_date', { text })}
          onClose={close}
          label={t('field_issued_date')}
        />
      ),
    },
    {
      field: 'doctor_name',
      shown: document.doctor_name,
      editor: (close) => (
        <NameField
          kind="doctors"
          value={document.doctor_name}
          patientId={document.patient_id}
          onSave={(value) => change('doctor_name', value)}
          onClose={close}
          label={t('field_doctor_name')}
        />
      ),
    },
    {
      field: 'facility_name',
      shown: document.facility_name,
      editor: (close) => (
        <NameField
          kind="facilities"
          value={document.facility_name}
          patientId={document.patient_id}
          onSave={(value) => change('facility_name', value)}
          onClose={close}
          label={t('field_facility_name')}
        />
      ),
    },
    {
      field: 'specialty_original',
      shown: document.specialty_display,
      editor: (close) => (
        <TextField
          suggestions={specialties}
          value={document.specialty_display}
          onSave={(text) => change('specialty_original', { text })}
          onClose={close}
          label={t('field_specialty_original')}
        />
      ),
    },
    {
      field: 'patient_id',
      shown: document.patient_name,
      editor: (close) => (
        <ChoiceField
          value={document.patient_id === null ? null : String(document.patient_id)}
          options={patients.map((patient) => ({ value: String(patient.id), label: patient.display_name }))}
          onSave={(text) => change('patient_id', { text })}
          onClose={close}
          label={t('field_patient_id')}
        />
      ),
    },
    {
      field: 'event_id',
      shown: document.event_title,
      editor: (close) => (
        <EventField
          document={document}
          onSave={(id) => change('event_id', { text: id === null ? null : String(id) })}
          onClose={close}
          label={t('field_event_id')}
        />
      ),
    },
    {
      field: 'tags',
      shown:
        tagsOf(document.tags).length > 0 ? (
          <span className="row">
            {tagsOf(document.tags).map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
        ) : null,
      editor: (close) => (
        <TextField
          value={document.tags}
          onSave={(text) => change('tags', { text })}
          onClose={close}
          label={t('field_tags')}
        />
      ),
    },
    {
      field: 'user_notes',
      shown: document.user_notes,
      editor: (close) => (
        <TextField
          long
          value={document.user_notes}
          onSave={(text) => change('user_notes', { text })}
          onClose={close}
          label={t('field_user_notes')}
        />
      ),
    },
  ];
  const insurance = [document.insurance_company, document.insurance_policy].filter(Boolean);
  const insured = placeOf(document, INSURANCE);
  return (
    <dl className="fields">
      {rows.map(({ field, shown, editor }) => {
        const key = fieldPlace(field);
        const evidence = placeOf(document, key);
        const event = field === 'event_id' ? document.event_id : null;
        const evidenceLabel = evidence?.label ? `${evidence.label.replace(/:$/, '')} · ` : '';
        const evidenceNote = evidence ? evidenceLabel + t('page', { page: evidence.page }) : '';
        return (
          <EditableRow
            key={field}
            label={t(`field_${field as 'doc_type'}`)}
            shown={shown}
            mayEdit={mayEdit}
            editing={editing === field}
            onEdit={(on) => onEdit(on ? field : null)}
            error={refused?.field === field ? refused.message : null}
            editor={editor}
            highlighted={highlighted === key}
            onHighlight={(on) => onHighlight(on && evidence ? key : null)}
            onShow={() => {
              if (event !== null)
                void navigate({
                  to: '/timeline',
                  search: { patient: String(document.patient_id), event: String(event) },
                });
              else if (evidence) onShow(key);
            }}
            note={event === null ? evidenceNote : t('on_timeline')}
            unsure={isUnsure(evidence) ? t('unsure') : null}
          />
        );
      })}
      {insurance.length > 0 && (
        <EditableRow
          label={t('field_insurance')}
          shown={insurance.join(' · ')}
          note={insured ? t('page', { page: insured.page }) : ''}
          unsure={isUnsure(insured) ? t('unsure') : null}
          error={null}
          mayEdit={false}
          editing={false}
          editor={() => null}
          onEdit={() => undefined}
          highlighted={highlighted === INSURANCE}
          onHighlight={(on) => onHighlight(on && insured ? INSURANCE : null)}
          onShow={() => onShow(INSURANCE)}
        />
      )}
    </dl>
  );
}
