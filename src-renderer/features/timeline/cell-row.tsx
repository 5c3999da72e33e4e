import { useTranslation } from 'react-i18next';
import { useFormats } from '../../client/format.ts';
import { classNames } from '../../ui/class-names.ts';
import { colorOf } from './colors.ts';
import { CELL, type Cell, type Kind } from './cells.ts';
import { MarkRow, tabStop } from './roving.tsx';

const HEIGHT = 60;
const MIN_BAR = 6;
const MAX_BAR = 46;

/** Documents, results or imaging: a mark each where they are few, a bar by their number where they are many. */
export function CellRow({
  kind,
  cells,
  selected,
  onSelect,
}: {
  kind: Kind;
  cells: readonly Cell[];
  selected: number | null;
  onSelect: (cell: Cell) => void;
}) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const most = Math.max(1, ...cells.map((cell) => cell.count));
  const keys = cells.map((cell) => cell.key);
  const nameOf = (cell: Cell): string => {
    const when =
      cell.from === cell.to ? formats.dateFull(cell.from) : `${formats.date(cell.from)} – ${formats.date(cell.to)}`;
    return [
      t(`${kind}_count`, { count: cell.count }),
      cell.abnormal > 0 ? t('abnormal_count', { count: cell.abnormal }) : null,
      when,
    ]
      .filter(Boolean)
      .join(', ');
  };
  return (
    <MarkRow label={t(kind)} height={HEIGHT} className={`tl-${kind}`}>
      {(current) =>
        cells.map((cell) => (
          <button
            key={cell.key}
            type="button"
            data-key={cell.key}
            tabIndex={tabStop(keys, current) === cell.key ? 0 : -1}
            aria-pressed={selected === cell.key}
            aria-label={nameOf(cell)}
            title={nameOf(cell)}
            className="tl-cell"
            style={{ left: cell.x, width: CELL }}
            onClick={() => onSelect(cell)}
          >
            {cell.items ? (
              cell.marks.map((mark, index) => (
                <i
                  key={index}
                  className={classNames('tl-mark', mark.abnormal && 'tl-abnormal')}
                  style={
                    { left: mark.x, ...(mark.color && { '--mark': colorOf(mark.color, null) }) } as React.CSSProperties
                  }
                />
              ))
            ) : (
              <i
                className={classNames('tl-bar', cell.abnormal > 0 && 'tl-abnormal')}
                style={{ height: MIN_BAR + (MAX_BAR - MIN_BAR) * (Math.log1p(cell.count) / Math.log1p(most)) }}
              />
            )}
          </button>
        ))
      }
    </MarkRow>
  );
}
