import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DOCUMENT_TYPES } from '../../../src-shared/medical/document-type.ts';
import type { DocumentDetail } from '../../../src-shared/contract/rows.ts';
import { useFormats } from '../../app/i18n/format.ts';
import { useVocabulary } from '../../app/i18n/vocabulary.ts';
import { usePatients } from '../../app/session.tsx';
import { Tag } from '../../ui/chip.tsx';
import { ChoiceField, DateField, NameField, TextField } from './field-editors.tsx';
import { EditableRow } from './editable-row.tsx';
import { tagsOf, type EditableField } from './changes.ts';
import { fieldPlace, isUnsure } from './places.ts';
import type { Lighting } from './sheet.tsx';
import { useEdits } from './use-edits.ts';

/** Where the evidence of a field stands under another name. */
const EVIDENCE: Partial<Record<EditableField, string>> = { patient_id: 'extracted_patient_name' };

/** The fields of a document; each can be changed in place and shows where it was read. */
export function Fields({ document, mayEdit, lit, onLight, onShow }: { document: DocumentDetail; mayEdit: boolean } & Lighting) {
  const { t } = useTranslation('document');
  const words = useVocabulary();
  const formats = useFormats();
  const patients = usePatients();
  const { change } = useEdits(document);
  const evidenceOf = (field: EditableField) => document.evidence[EVIDENCE[field] ?? field];
  const rows: { field: EditableField; shown: ReactNode; editor: (close: () => void) => ReactNode }[] = [
    { field: 'doc_type', shown: words.documentType(document.doc_type), editor: (close) => <ChoiceField value={document.doc_type} options={DOCUMENT_TYPES.map((type) => ({ value: type, label: words.documentType(type) }))} onSave={(text) => change('doc_type', { text })} onClose={close} label={t('field_doc_type')} /> },
    { field: 'event_date', shown: formats.dateFull(document.event_date), editor: (close) => <DateField value={document.event_date} locale={formats.locale} onSave={(text) => change('event_date', { text })} onClose={close} label={t('field_event_date')} /> },
    { field: 'issued_date', shown: formats.dateFull(document.issued_date), editor: (close) => <DateField value={document.issued_date} locale={formats.locale} onSave={(text) => change('issued_date', { text })} onClose={close} label={t('field_issued_date')} /> },
    { field: 'doctor_name', shown: document.doctor_name, editor: (close) => <NameField kind="doctors" value={document.doctor_name} patientId={document.patient_id} onSave={(value) => change('doctor_name', value)} onClose={close} label={t('field_doctor_name')} /> },
    { field: 'facility_name', shown: document.facility_name, editor: (close) => <NameField kind="facilities" value={document.facility_name} patientId={document.patient_id} onSave={(value) => change('facility_name', value)} onClose={close} label={t('field_facility_name')} /> },
    { field: 'specialty_original', shown: document.specialty_display, editor: (close) => <TextField value={document.specialty_display} onSave={(text) => change('specialty_original', { text })} onClose={close} label={t('field_specialty_original')} /> },
    { field: 'patient_id', shown: document.patient_name, editor: (close) => <ChoiceField value={document.patient_id === null ? null : String(document.patient_id)} options={patients.map((patient) => ({ value: String(patient.id), label: patient.display_name }))} onSave={(text) => change('patient_id', { text })} onClose={close} label={t('field_patient_id')} /> },
    { field: 'tags', shown: tagsOf(document.tags).length > 0 ? <span className="row">{tagsOf(document.tags).map((tag) => <Tag key={tag}>{tag}</Tag>)}</span> : null, editor: (close) => <TextField value={document.tags} onSave={(text) => change('tags', { text })} onClose={close} label={t('field_tags')} /> },
    { field: 'user_notes', shown: document.user_notes, editor: (close) => <TextField long value={document.user_notes} onSave={(text) => change('user_notes', { text })} onClose={close} label={t('field_user_notes')} /> },
  ];
  return (
    <dl className="fields">
      {rows.map(({ field, shown, editor }) => {
        const evidence = evidenceOf(field);
        const key = fieldPlace(EVIDENCE[field] ?? field);
        return (
          <EditableRow key={field} label={t(`field_${field as 'doc_type'}`)} shown={shown} mayEdit={mayEdit} editor={editor} lit={lit === key} onLight={(on) => onLight(on && evidence ? key : null)} onShow={() => evidence && onShow(key)}
            note={evidence ? `${evidence.label ? `${evidence.label.replace(/:$/, '')} · ` : ''}${t('page', { page: evidence.page })}` : ''} unsure={isUnsure(evidence) ? t('unsure') : null} />
        );
      })}
    </dl>
  );
}
