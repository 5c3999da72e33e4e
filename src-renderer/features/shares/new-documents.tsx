import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { Patient } from '../../../src-shared/contract/patients.ts';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { MAX_SHARED_DOCUMENTS } from '../../../src-shared/contract/shares.ts';
import { useTitles } from '../../client/document-title.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SkeletonLines } from '../../ui/states.tsx';
import type { ShareLabels } from './labels.ts';
import { PageMini } from './page-mini.tsx';
import { DocumentPicker } from './picker.tsx';
import { useUnopenable } from './queries.ts';
import { Unopenable } from './unopenable.tsx';

/** The documents of a new share, all of one person. */
export function ChosenDocuments({
  patient,
  patients,
  chosen,
  isLoading,
  labels,
  onPatient,
  onChange,
}: {
  patient: Patient | undefined;
  /** Those whose documents the user may share. */
  patients: readonly Patient[];
  chosen: readonly DocumentListItem[];
  isLoading: boolean;
  labels: ShareLabels;
  onPatient: (id: string) => void;
  onChange: (ids: number[]) => void;
}) {
  const { t } = labels;
  const heading = useId();
  const [isPicking, setPicking] = useState(false);
  const ids = chosen.map(({ id }) => id);
  const unopenable = useUnopenable(patient?.id, ids);
  return (
    <section className="ns-block" aria-labelledby={heading}>
      <h2 id={heading}>{t('new_documents')}</h2>
      <div className="stack">
        {(patients.length > 1 && chosen.length === 0) || patient === undefined ? (
          <Select
            aria-label={t('new_person')}
            value={patient === undefined ? '' : String(patient.id)}
            options={[
              ...(patient === undefined ? [{ value: '', label: `${t('new_person')}…` }] : []),
              ...patients.map(({ id, display_name }) => ({ value: String(id), label: display_name })),
            ]}
            onChange={(event) => onPatient(event.target.value)}
          />
        ) : null}
        {patient && (
          <div className="panel">
            {isLoading && <SkeletonLines count={2} label={t('loading')} />}
            <ul className="lines">
              {chosen.map((item) => (
                <ChosenLine
                  key={item.id}
                  item={item}
                  failure={unopenable.get(item.id)}
                  labels={labels}
                  onRemove={() => onChange(ids.filter((id) => id !== item.id))}
                />
              ))}
            </ul>
            <div className="ns-add">
              <Button size="small" glyph={Plus} disabled={isLoading} onClick={() => setPicking(true)}>
                {t('new_add')}
              </Button>
              <span className="cap">
                {chosen.length === 0 ? t('new_no_documents') : t('all_of', { name: patient.display_name })}
              </span>
            </div>
          </div>
        )}
      </div>
      {isPicking && patient && (
        <DocumentPicker
          patient={String(patient.id)}
          patientName={patient.display_name}
          excluded={ids}
          max={MAX_SHARED_DOCUMENTS - ids.length}
          labels={labels}
          onClose={() => setPicking(false)}
          onPick={(picked) => onChange([...ids, ...picked])}
        />
      )}
    </section>
  );
}

function ChosenLine({
  item,
  failure,
  labels,
  onRemove,
}: {
  item: DocumentListItem;
  /** Why no recipient could open it. */
  failure: ErrorReference | undefined;
  labels: ShareLabels;
  onRemove: () => void;
}) {
  const { t, formats } = labels;
  const titles = useTitles();
  return (
    <li className="docline">
      <PageMini id={item.id} />
      <span className="docline-words">
        <span className="truncate strong">{titles.title(item)}</span>
        <span className="cap num truncate">
          {[formats.date(item.event_date), titles.notable(item)].filter(Boolean).join(' · ')}
        </span>
        <Unopenable failure={failure} labels={labels} />
      </span>
      <span className="row">
        {item.page_count !== null && <span className="cap num">{t('pages', { count: item.page_count })}</span>}
        <IconButton
          size="small"
          glyph={X}
          label={t('new_remove', { document: titles.title(item) })}
          onClick={onRemove}
        />
      </span>
    </li>
  );
}
