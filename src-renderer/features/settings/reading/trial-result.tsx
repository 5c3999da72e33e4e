import { useTranslation } from 'react-i18next';
import type { ReaderTrial, TrialField } from '../../../../src-shared/contract/reader-trials.ts';
import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Tag } from '../../../ui/chip.tsx';
import { Notice } from '../../../ui/states.tsx';

/** What a model read in a document, beside what is stored: differences first. */
export function TrialResult({ trial }: { trial: ReaderTrial }) {
  const { t } = useTranslation('trial');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const { original_filename: name, failure, fields, same, took_ms: took } = trial;
  const seconds = formats.number(Math.ceil(took / 100) / 10);
  const ordered = [...fields].sort((a, b) => Number(a.is_same) - Number(b.is_same));
  return (
    <section className="panel-body stack">
      <h3>{name}</h3>
      {failure ? (
        <Notice tone="bad">{vocabulary.failure(failure)}</Notice>
      ) : (
        <>
          <p className="cap">{t('result', { same, count: fields.length, seconds })}</p>
          <div className="table-panel" role="region" aria-label={name} tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">{t('field')}</th>
                  <th scope="col">{t('stored')}</th>
                  <th scope="col">{t('found')}</th>
                </tr>
              </thead>
              <tbody>
                {ordered.map((field) => (
                  <FieldRow key={`${field.kind} ${field.name}`} field={field} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}

function FieldRow({ field: { kind, name, stored, found, is_same: isSame } }: { field: TrialField }) {
  const { t } = useTranslation('trial');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const worded = (value: string | null): string => {
    if (value === null) return '–';
    if (kind === 'details' && name.endsWith('_date')) return formats.date(value);
    return kind === 'details' && name === 'doc_type' ? vocabulary.documentType(value as DocumentType) : value || '–';
  };
  const label = kind === 'details' ? t(name as 'doc_type') : `${t(kind)}: ${name}`;
  return (
    <tr>
      <td>
        {label} {!isSame && <Tag tone="warn">{t('differs')}</Tag>}
      </td>
      <td>{worded(stored)}</td>
      <td>{worded(found)}</td>
    </tr>
  );
}
