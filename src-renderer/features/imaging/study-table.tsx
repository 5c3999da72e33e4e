import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ImagingSort, ListedStudy } from '../../../src-shared/contract/imaging.ts';
import { addressOf, contract } from '../../client/api.ts';
import { useFormats } from '../../client/format.ts';
import { Person } from '../../client/people.tsx';
import { useIsEveryone } from '../../client/session.tsx';
import type { StudySearch } from '../../client/study-search.ts';
import { Tag } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import '../../ui/table/table.css';
import { studyTitle } from '../../client/study-title.ts';

interface Column {
  id: string;
  sort: ImagingSort | null;
  /** Hidden on narrow screens. */
  isWide?: boolean;
  isNumber?: boolean;
}
const COLUMNS: readonly Column[] = [
  { id: 'study', sort: null },
  { id: 'patient', sort: 'patient' },
  { id: 'study_date', sort: 'study_date' },
  { id: 'modality', sort: 'modality', isWide: true },
  { id: 'body_part', sort: 'body_part', isWide: true },
  { id: 'facility', sort: 'facility', isWide: true },
  { id: 'doctor', sort: 'doctor', isWide: true },
  { id: 'images', sort: null, isWide: true, isNumber: true },
  { id: 'report_status', sort: 'report_status' },
  { id: 'date_added', sort: 'date_added', isWide: true },
];

/** The order of a first click: the latest first, names from A. */
const firstOrder = (sort: ImagingSort): 'asc' | 'desc' =>
  sort === 'study_date' || sort === 'date_added' ? 'desc' : 'asc';

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;

interface Props {
  studies: readonly ListedStudy[];
  search: StudySearch;
  change: (part: Partial<StudySearch>) => void;
}

/** The list of studies; a heading sorts, a title opens the pictures. */
export function StudyTable({ studies, search, change }: Props) {
  const { t } = useTranslation('imaging');
  const isEveryone = useIsEveryone();
  const columns = COLUMNS.filter(({ id }) => id !== 'patient' || isEveryone);
  return (
    <div className="panel table-panel">
      <table className="table im-table" aria-label={t('list')}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} search={search} change={change} />
            ))}
          </tr>
        </thead>
        <tbody>
          {studies.map((study) => (
            <tr key={study.id}>
              {columns.map(({ id, isWide, isNumber }) => (
                <td key={id} className={classNames(isWide && 'wide-only', isNumber && 'r num')}>
                  <Cell id={id} study={study} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading({ column, search, change }: { column: Column } & Omit<Props, 'studies'>) {
  const { t } = useTranslation('imaging');
  const { id, sort, isWide, isNumber } = column;
  const className = classNames(isWide && 'wide-only', isNumber && 'r');
  const name = t(`column_${id}` as 'column_study');
  if (sort === null)
    return (
      <th scope="col" className={className}>
        {name}
      </th>
    );
  const isSorted = (search.sort ?? 'study_date') === sort;
  const order = search.order === 'asc' || search.order === 'desc' ? search.order : firstOrder(sort);
  const next = isSorted && order === firstOrder(sort) ? OPPOSITE[order] : firstOrder(sort);
  const direction = order === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" className={className} aria-sort={isSorted ? direction : undefined}>
      <button type="button" className="sort" onClick={() => change({ sort, order: next })}>
        {name}
        {isSorted && <Icon glyph={order === 'asc' ? ArrowUp : ArrowDown} size={12} />}
      </button>
    </th>
  );
}

function Cell({ id, study }: { id: string; study: ListedStudy }) {
  const { t } = useTranslation('imaging');
  const formats = useFormats();
  switch (id) {
    case 'study':
      return (
        <Link to="/imaging/$id" params={{ id: String(study.id) }} className="im-link">
          <span className="im-small" aria-hidden="true">
            {study.num_images > 0 && (
              <img src={addressOf(contract.imaging.thumbnail, { params: { id: study.id } })} alt="" loading="lazy" />
            )}
          </span>
          <span className="truncate">{studyTitle(study, t('untitled'))}</span>
        </Link>
      );
    case 'patient':
      return study.patient_id !== null && study.patient_name !== null ? (
        <Person id={study.patient_id} name={study.patient_name} />
      ) : (
        <>{t('nobody')}</>
      );
    case 'study_date':
      return <>{study.study_date ? formats.date(study.study_date) : '–'}</>;
    case 'images':
      return <>{formats.count(study.num_images)}</>;
    case 'report_status':
      return <Tag tone={study.report_status === 'attached' ? 'ok' : 'warn'}>{t(`report_${study.report_status}`)}</Tag>;
    case 'date_added':
      return <>{formats.date(study.date_added.slice(0, 10))}</>;
    case 'facility':
      return <>{study.facility_name}</>;
    case 'doctor':
      return <>{study.doctor_name}</>;
    default:
      return <>{id === 'modality' ? study.modality : study.body_part}</>;
  }
}
