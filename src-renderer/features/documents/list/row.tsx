import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode, type Ref, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { documentName } from '../../../client/document-name.ts';
import { Highlighted } from '../../../client/highlighted.tsx';
import { lineAround } from '../../../client/snippet.ts';
import { useFormats } from '../../../client/format.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Tag, type Tone } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Checkbox } from '../../../ui/field.tsx';
import type { ColumnId } from './columns.ts';

const TONES: Partial<Record<DocumentListItem['status'], Tone>> = {
  failed: 'bad',
  needs_review: 'warn',
  processing: 'accent',
};

interface Props {
  item: DocumentListItem;
  index: number;
  columns: readonly ColumnId[];
  query: string | undefined;
  selected: boolean;
  active: boolean;
  focused: boolean;
  mayEdit: boolean;
  onToggle: (id: number, through?: boolean) => void;
  onOpen: (id: number) => void;
  ref: Ref<HTMLTableRowElement>;
}

/** One document of the list; a double click opens it, as its title does. */
export function DocumentRow({
  item,
  index,
  columns,
  query,
  selected,
  active,
  focused,
  mayEdit,
  onToggle,
  onOpen,
  ref,
}: Props) {
  const { t } = useTranslation();
  const link = useRef<HTMLAnchorElement>(null);
  const cells = useCells(item, query, columns, link);
  // Also a row that is drawn only now, because the keys have gone there; never out of a field that is being written in.
  useEffect(() => {
    if (focused && (document.activeElement === document.body || document.activeElement?.closest('.doc-table')))
      link.current?.focus({ preventScroll: true });
  }, [focused]);
  return (
    <tr
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      className={classNames(selected && 'selected', active && 'active')}
      onDoubleClick={() => onOpen(item.id)}
    >
      {mayEdit && (
        <td className="select-cell">
          <Checkbox
            hideLabel
            label={t('documents.select', { name: item.original_filename })}
            checked={selected}
            onChange={(event) =>
              onToggle(item.id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
            }
          />
        </td>
      )}
      {columns.map((id) => (
        <td key={id} className={MUTED.has(id) ? 'muted' : undefined} title={hoverOf(item, id)}>
          {cells[id]()}
        </td>
      ))}
    </tr>
  );
}

const MUTED: ReadonlySet<ColumnId> = new Set([
  'doc_type',
  'patient',
  'doctor',
  'facility',
  'specialty',
  'event',
  'page_count',
  'created_at',
]);

/** What a narrow column may have to cut off. */
const hoverOf = (item: DocumentListItem, id: ColumnId): string | undefined =>
  (
    {
      patient: item.patient_name,
      doctor: item.doctor_name,
      facility: item.facility_name,
      event: item.event_title,
    } as Partial<Record<ColumnId, string | null>>
  )[id] ?? undefined;

function useCells(
  item: DocumentListItem,
  query: string | undefined,
  columns: readonly ColumnId[],
  link: RefObject<HTMLAnchorElement | null>,
): Record<ColumnId, () => ReactNode> {
  const { t } = useTranslation();
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const [reason] = item.review_reasons;
  const stateText = (): string => {
    if (item.status === 'done') return '';
    return item.status === 'needs_review' && reason
      ? t('documents.review_of', { reason: vocabulary.reviewShort(reason) })
      : vocabulary.status(item.status);
  };
  const state = stateText();
  const stateTag = (): ReactNode =>
    state !== '' && (
      <Tag
        tone={TONES[item.status] ?? 'plain'}
        title={reason ? vocabulary.review(reason) : (item.error_message ?? undefined)}
      >
        {state}
      </Tag>
    );
  const tags = (): ReactNode =>
    (item.tags ?? '')
      .split(',')
      .filter(Boolean)
      .map((tag) => <Tag key={tag}>{tag}</Tag>);
  return {
    event_date: () => (
      <span className="num" title={formats.dateLong(item.event_date)}>
        {formats.date(item.event_date) || <span className="cap">{t('documents.undated')}</span>}
      </span>
    ),
    doc_type: () => vocabulary.documentType(item.doc_type),
    title: () => (
      <>
        <span className="title-line">
          <Link
            ref={link}
            to="/documents/$id"
            params={{ id: String(item.id) }}
            search={query ? { find: query } : {}}
            className="title-link truncate"
          >
            {documentName(item)}
          </Link>
          {!columns.includes('tags') && tags()}
        </span>
        {item.snippet && (
          <span className="snippet truncate cap">
            <Highlighted text={lineAround(item.snippet)} />
          </span>
        )}
        {state !== '' && !columns.includes('status') && <span className="state-below">{stateTag()}</span>}
      </>
    ),
    patient: () => item.patient_name,
    doctor: () => item.doctor_name,
    facility: () => item.facility_name,
    specialty: () => item.specialty_canonical_display ?? item.specialty_display,
    event: () => item.event_title,
    tags,
    page_count: () => <span className="num">{item.page_count !== null && formats.count(item.page_count)}</span>,
    created_at: () => (
      <span className="num" title={formats.momentExact(item.created_at)}>
        {formats.date(item.created_at.slice(0, 10))}
      </span>
    ),
    status: stateTag,
  };
}
