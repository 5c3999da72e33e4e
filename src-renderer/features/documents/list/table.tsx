import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { Checkbox } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { COARSE, useMedia } from '../../../ui/use-media.ts';
import { COLUMNS, firstOrder, fitColumns, type ColumnId } from './columns.ts';
import type { ListSearch } from '../../../client/document-list.ts';
import { DocumentRow } from './row.tsx';
import { useRows } from '../../../ui/table/use-rows.ts';

/** Width of the checkbox column in pixels: for a pointer and for a finger. */
const SELECT_WIDTH = { fine: 36, coarse: 44 };

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;
const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

interface Props {
  items: readonly DocumentListItem[];
  total: number;
  columns: readonly ColumnId[];
  search: ListSearch;
  selected: ReadonlySet<number>;
  active: number;
  isByKey: boolean;
  mayEdit: boolean;
  onToggle: (id: number, through?: boolean) => void;
  onSelectAll: (all: boolean) => void;
  onOpen: (id: number) => void;
  onPreview: (id: number) => void;
  onEnd: () => void;
  change: (part: Partial<ListSearch>) => void;
}

/** The list as a table. A row shows its preview, a title opens its document, a heading sorts; only the rows in view are rendered. */
export function DocumentTable(props: Props) {
  const { items, total, columns, search, selected, active, isByKey, mayEdit, onToggle, onSelectAll, onOpen } = props;
  const { onEnd, onPreview, change } = props;
  const { t } = useTranslation();
  const { body, width, measure, rendered, above, below } = useRows({
    ids: items.map((item) => item.id),
    active,
    onEnd,
  });
  const selectWidth = useMedia(COARSE) ? SELECT_WIDTH.coarse : SELECT_WIDTH.fine;
  const shownColumns = fitColumns(columns, width - (mayEdit ? selectWidth : 0));
  const ids = shownColumns.map(({ id }) => id);
  return (
    <div className="panel doc-panel">
      <table className="table doc-table" aria-label={t('documents.list')} aria-rowcount={total + 1}>
        <TableHead
          columns={shownColumns}
          search={search}
          mayEdit={mayEdit}
          selectWidth={selectWidth}
          selectedCount={selected.size}
          count={items.length}
          onSelectAll={onSelectAll}
          change={change}
        />
        <tbody ref={body}>
          <Gap height={above} />
          {rendered.map(({ index }) => {
            const item = items[index];
            return (
              item && (
                <DocumentRow
                  key={item.id}
                  ref={measure}
                  item={item}
                  index={index}
                  columns={ids}
                  query={search.q}
                  selected={selected.has(item.id)}
                  isActive={index === active}
                  hasFocus={index === active && isByKey}
                  mayEdit={mayEdit}
                  onToggle={onToggle}
                  onOpen={onOpen}
                  onPreview={onPreview}
                />
              )
            );
          })}
          <Gap height={below} />
        </tbody>
      </table>
    </div>
  );
}

function TableHead({
  columns,
  search,
  mayEdit,
  selectWidth,
  selectedCount,
  count,
  onSelectAll,
  change,
}: Pick<Props, 'search' | 'mayEdit' | 'onSelectAll' | 'change'> & {
  columns: ReturnType<typeof fitColumns>;
  selectWidth: number;
  selectedCount: number;
  count: number;
}) {
  const { t } = useTranslation();
  return (
    <>
      <colgroup>
        {mayEdit && <col style={{ width: selectWidth }} />}
        {columns.map((column) => (
          <col key={column.id} style={{ width: column.width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {mayEdit && (
            <th className="select-cell">
              <Checkbox
                hideLabel
                label={t('documents.select_all')}
                checked={count > 0 && selectedCount === count}
                indeterminate={selectedCount > 0 && selectedCount < count}
                onChange={(event) => onSelectAll(event.target.checked)}
              />
            </th>
          )}
          {columns.map(({ id }) => (
            <Heading key={id} id={id} search={search} change={change} />
          ))}
        </tr>
      </thead>
    </>
  );
}

/** Fills the height of rows that are not rendered. */
const Gap = ({ height }: { height: number }) => (height > 0 ? <tr aria-hidden="true" style={{ height }} /> : null);

function Heading({ id, search, change }: { id: ColumnId; search: ListSearch; change: Props['change'] }) {
  const { t } = useTranslation();
  const sort = COLUMNS.find((column) => column.id === id)?.sort ?? null;
  if (sort === null) return <th scope="col">{t(`column.${id}`)}</th>;
  // Without an explicit order, search results are sorted by relevance.
  const isSorted = (search.sort ?? (search.q ? null : 'event_date')) === sort;
  const first = firstOrder(sort);
  const order: 'asc' | 'desc' = search.order === 'asc' || search.order === 'desc' ? search.order : first;
  const next = isSorted && order === first ? OPPOSITE[first] : first;
  const isDefault = sort === 'event_date' && next === first && !search.q;
  return (
    <th scope="col" aria-sort={isSorted ? ARIA_SORT[order] : undefined}>
      <button
        type="button"
        className="sort"
        onClick={() => change({ sort: isDefault ? undefined : sort, order: next === first ? undefined : next })}
      >
        {t(`column.${id}`)}
        {isSorted && <Icon glyph={order === 'asc' ? ArrowUp : ArrowDown} size={12} />}
      </button>
    </th>
  );
}
