import { ArrowDown, ArrowUp } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { Highlighted } from '../../app/frame/highlighted.tsx';
import { useFormats } from '../../app/i18n/format.ts';
import { useVocabulary } from '../../app/i18n/vocabulary.ts';
import { Tag, type Tone } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Checkbox } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { ListSearch } from './queries.ts';

const TONES: Partial<Record<DocumentListItem['status'], Tone>> = { failed: 'bad', needs_review: 'warn', processing: 'accent' };
const COLUMNS = [['event_date', 'date'], ['doc_type', 'doc_type'], ['original_filename', 'title'], ['doctor', 'doctor'], ['facility', 'facility'], ['status', 'status']] as const;

interface Props {
  items: readonly DocumentListItem[]; search: ListSearch; selected: ReadonlySet<number>; active: number; mayEdit: boolean;
  onToggle: (id: number) => void; onSelectAll: (all: boolean) => void; onOpen: (id: number) => void; onActive: (index: number) => void; change: (part: Partial<ListSearch>) => void;
}

/** The list as a table; a row opens its document, a heading sorts. */
export function DocumentTable({ items, search, selected, active, mayEdit, onToggle, onSelectAll, onOpen, onActive, change }: Props) {
  const { t } = useTranslation();
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => { row.current?.scrollIntoView({ block: 'nearest' }); }, [active]);
  const sortBy = (column: string): void => {
    const first = column === 'event_date' ? 'desc' : 'asc';
    const now = search.sort ?? 'event_date';
    const order = now === column && (search.order ?? first) === first ? (first === 'asc' ? 'desc' : 'asc') : first;
    change({ sort: column === 'event_date' && order === 'desc' ? undefined : column, order: order === first ? undefined : order });
  };
  return (
    <div className="panel table-panel">
      <table className="table" aria-label={t('documents.list')}>
        <thead>
          <tr>
            {mayEdit && <th className="select-cell"><Checkbox hideLabel label={t('documents.select_all')} aria-label={t('documents.select_all')} checked={selected.size > 0 && selected.size === items.length} indeterminate={selected.size > 0 && selected.size < items.length} onChange={(event) => onSelectAll(event.target.checked)} /></th>}
            {COLUMNS.map(([column, name]) => {
              const isSorted = (search.sort ?? (search.q ? '' : 'event_date')) === column;
              const order = search.order ?? (column === 'event_date' ? 'desc' : 'asc');
              return (
                <th key={column} className={`col-${column}`} aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}>
                  <button type="button" className="sort" onClick={() => sortBy(column)}>{t(`column.${name}`)}{isSorted && <Icon glyph={order === 'asc' ? ArrowUp : ArrowDown} size={12} />}</button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <Row key={item.id} ref={index === active ? row : undefined} item={item} selected={selected.has(item.id)} active={index === active} mayEdit={mayEdit} query={search.q}
              onToggle={() => onToggle(item.id)} onOpen={() => { onActive(index); onOpen(item.id); }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ item, selected, active, mayEdit, query, onToggle, onOpen, ref }: { item: DocumentListItem; selected: boolean; active: boolean; mayEdit: boolean; query: string | undefined; onToggle: () => void; onOpen: () => void; ref?: React.Ref<HTMLTableRowElement> | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useVocabulary();
  const [reason] = item.review_reasons;
  const tags = (item.tags ?? '').split(',').filter(Boolean);
  const state = item.status === 'needs_review' ? (reason ? t('documents.review_of', { reason: words.reviewShort(reason) }) : words.status(item.status)) : item.status === 'done' ? '' : words.status(item.status);
  return (
    <tr ref={ref} className={classNames(selected && 'selected', active && 'active')} onDoubleClick={onOpen}>
      {mayEdit && <td className="select-cell"><Checkbox hideLabel label={t('documents.select', { name: item.original_filename })} aria-label={t('documents.select', { name: item.original_filename })} checked={selected} onChange={onToggle} /></td>}
      <td className="num" title={formats.dateLong(item.event_date)}>{formats.date(item.event_date) || <span className="cap">{t('documents.undated')}</span>}</td>
      <td className="muted">{words.documentType(item.doc_type)}</td>
      <td className="title-cell">
        <Link to="/documents/$id" params={{ id: String(item.id) }} search={query ? { find: query } : {}} className="title-link truncate">{titleOf(item)}</Link>
        {tags.map((tag) => <Tag key={tag}>{tag}</Tag>)}
        {item.snippet && <span className="snippet truncate cap"><Highlighted text={item.snippet.replace(/\s+/g, ' ')} /></span>}
      </td>
      <td className="muted">{item.doctor_name}</td>
      <td className="muted">{item.facility_name}</td>
      <td>{state !== '' && <Tag tone={TONES[item.status] ?? 'plain'} title={reason ? words.review(reason) : item.error_message ?? undefined}>{state}</Tag>}</td>
    </tr>
  );
}

/** What the document is about, as its summary says it; else the file's name. */
export function titleOf(item: DocumentListItem): string {
  return /(?:Diagnoses|Medicines|Vaccinations|outside their range): (.+?)\.(?=\s\p{Lu}|\s\d|$)/u.exec(item.summary_en ?? '')?.[1] ?? item.original_filename;
}
