import { CircleQuestionMark, TriangleAlert, type LucideIcon } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type MouseEvent, type ReactNode, type Ref, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { useTitles } from '../../../client/document-title.ts';
import { Highlighted } from '../../../client/highlighted.tsx';
import { lineAround } from '../../../client/snippet.ts';
import { useSpecialtyName } from '../../../client/entry-name.ts';
import { useFormats } from '../../../client/format.ts';
import { Person, PersonMark } from '../../../client/people.tsx';
import { useIsEveryone } from '../../../client/session.tsx';
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
const GLYPHS: Partial<Record<DocumentListItem['status'], LucideIcon>> = {
  failed: TriangleAlert,
  needs_review: CircleQuestionMark,
};

interface Props {
  item: DocumentListItem;
  index: number;
  columns: readonly ColumnId[];
  query: string | undefined;
  selected: boolean;
  isActive: boolean;
  hasFocus: boolean;
  mayEdit: boolean;
  onToggle: (id: number, through?: boolean) => void;
  onOpen: (id: number) => void;
  onPreview: (id: number) => void;
  ref: Ref<HTMLTableRowElement>;
}

/** One document of the list. A click shows its preview; its title or a double click opens it. */
export function DocumentRow({
  item,
  index,
  columns,
  query,
  selected,
  isActive,
  hasFocus,
  mayEdit,
  onToggle,
  onOpen,
  onPreview,
  ref,
}: Props) {
  const { t } = useTranslation();
  const titles = useTitles();
  const link = useRef<HTMLAnchorElement>(null);
  const cells = useCells({ item, query, columns, link });
  // Runs also when the row is first rendered because the active row moved to it by key; never takes the focus from a
  // text field.
  useEffect(() => {
    if (hasFocus && (document.activeElement === document.body || document.activeElement?.closest('.doc-table')))
      link.current?.focus({ preventScroll: true });
  }, [hasFocus]);
  return (
    <tr
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      className={classNames(selected && 'selected', isActive && 'active')}
      onClick={(event) => {
        if (isOnRow(event)) onPreview(item.id);
      }}
      onDoubleClick={() => onOpen(item.id)}
    >
      {mayEdit && (
        <td className="select-cell">
          <Checkbox
            hideLabel
            label={t('documents.select', { name: titles.title(item) })}
            checked={selected}
            onChange={(event) =>
              onToggle(item.id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
            }
          />
        </td>
      )}
      {columns.map((id) => (
        <td key={id} className={MUTED.has(id) ? 'muted' : undefined} title={hoverOf(item, id, titles)}>
          {cells[id]()}
        </td>
      ))}
    </tr>
  );
}

/** Whether a click was meant for the row: not for a control in it, nor to select text. */
const isOnRow = ({ target }: MouseEvent): boolean =>
  target instanceof Element &&
  target.closest('a, button, label, input, .select-cell') === null &&
  getSelection()?.isCollapsed !== false;

const MUTED: ReadonlySet<ColumnId> = new Set([
  'doc_type',
  'original_filename',
  'patient',
  'doctor',
  'facility',
  'specialty',
  'event',
  'page_count',
  'created_at',
]);

/** The full text of cells that a narrow column truncates. */
const hoverOf = (item: DocumentListItem, id: ColumnId, titles: ReturnType<typeof useTitles>): string | undefined =>
  (
    {
      patient: item.patient_name,
      doctor: item.doctor_name,
      facility: item.facility_name,
      original_filename: titles.fileName(item.original_filename),
      event: item.event_title,
    } as Partial<Record<ColumnId, string | null>>
  )[id] ?? undefined;

interface CellProps {
  item: DocumentListItem;
  query: string | undefined;
  columns: readonly ColumnId[];
  link: RefObject<HTMLAnchorElement | null>;
}

/** The content of each column for a document. */
function useCells(props: CellProps): Record<ColumnId, () => ReactNode> {
  const { item } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const specialtyName = useSpecialtyName();
  const titles = useTitles();
  return {
    original_filename: () => titles.fileName(item.original_filename),
    event_date: () => (
      <span className="num" title={formats.dateLong(item.event_date)}>
        {formats.date(item.event_date) || <span className="cap">{t('documents.undated')}</span>}
      </span>
    ),
    doc_type: () => vocabulary.documentType(item.doc_type),
    title: () => <TitleCell {...props} />,
    patient: () => <PatientCell item={item} />,
    doctor: () => item.doctor_name,
    facility: () => item.facility_name,
    specialty: () => specialtyName(item.specialty_canonical_display ?? item.specialty_display),
    event: () => item.event_title,
    tags: () => <Tags item={item} />,
    page_count: () => <span className="num">{item.page_count !== null && formats.count(item.page_count)}</span>,
    created_at: () => (
      <span className="num" title={formats.momentExact(item.created_at)}>
        {formats.date(item.created_at.slice(0, 10))}
      </span>
    ),
    status: () => <StateTag item={item} />,
  };
}

interface ItemProps {
  item: DocumentListItem;
}

/** The mark of the person, where all people are shown and there is no room for their column. */
function RowMark({ item: { patient_id: id, patient_name: name, patient_undecided: isUndecided } }: ItemProps) {
  const isEveryone = useIsEveryone();
  if (!isEveryone || id === null || name === null || isUndecided) return null;
  return (
    <span title={name}>
      <PersonMark id={id} name={name} />
      <span className="sr-only">{name}</span>
    </span>
  );
}

/** Whose document it is, or that this is open. */
function PatientCell({ item }: ItemProps) {
  const { t } = useTranslation();
  const { patient_id: id, patient_name: name } = item;
  if (item.patient_undecided) return <span className="cap">{t('review_short.unnamed_patient')}</span>;
  return id === null || name === null ? null : <Person id={id} name={name} />;
}

/** The title with everything that has no column: tags, the search snippet, the state. */
function TitleCell({ item, query, columns, link }: CellProps) {
  const titles = useTitles();
  return (
    <>
      <span className="title-line">
        {!columns.includes('patient') && <RowMark item={item} />}
        <Link
          ref={link}
          to="/documents/$id"
          params={{ id: String(item.id) }}
          search={query ? { find: query } : {}}
          className="title-link truncate"
        >
          {titles.title(item)}
        </Link>
        <span className="cap truncate">{titles.caption(item)}</span>
        {!columns.includes('tags') && <Tags item={item} />}
      </span>
      {item.snippet && (
        <span className="snippet truncate cap">
          <Highlighted text={lineAround(item.snippet)} />
        </span>
      )}
      {item.status !== 'done' && !columns.includes('status') && (
        <span className="state-below">
          <StateTag item={item} />
        </span>
      )}
    </>
  );
}

const Tags = ({ item }: ItemProps) =>
  (item.tags ?? '')
    .split(',')
    .filter(Boolean)
    .map((tag) => <Tag key={tag}>{tag}</Tag>);

/** The state of a document that is not done: an icon and a short reason; the tooltip has the sentence. */
function StateTag({ item }: ItemProps) {
  const vocabulary = useVocabulary();
  const [reason] = item.review_reasons;
  if (item.status === 'done') return null;
  const isReview = item.status === 'needs_review' && reason !== undefined;
  return (
    <Tag
      tone={TONES[item.status] ?? 'plain'}
      glyph={GLYPHS[item.status]}
      title={reason ? vocabulary.review(reason) : vocabulary.readingError(item)}
    >
      {isReview && <span className="sr-only">{vocabulary.status(item.status)}: </span>}
      {isReview ? vocabulary.reviewShort(reason) : vocabulary.status(item.status)}
    </Tag>
  );
}
