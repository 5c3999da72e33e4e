import { useTranslation } from 'react-i18next';
import { useFormats } from '../../client/format.ts';
import { classNames } from '../../ui/class-names.ts';
import { colorOf } from './colors.ts';
import { CELL_PX, shareOf, type Cell, type Kind, type Share } from './cells.ts';
import { MarkRow, tabStop } from './roving.tsx';
import { useResultFlags } from './use-result-flags.ts';

const HEIGHT = 60;
const MIN_BAR = 6;
const MAX_BAR = 46;

/** Documents, results or imaging: individual marks if there are few, a bar if there are many. */
export function CellRow({
  kind,
  cells,
  selected,
  height = HEIGHT,
  onSelect,
}: {
  kind: Kind;
  cells: readonly Cell[];
  selected: number | null;
  height?: number;
  onSelect: (cell: Cell) => void;
}) {
  const { t } = useTranslation('timeline');
  const maxCount = Math.max(1, ...cells.map((cell) => cell.count));
  const keys = cells.map((cell) => cell.key);
  const nameOf = useCellName(kind);
  return (
    <MarkRow label={t(kind)} height={height} className={`tl-${kind}`}>
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
            style={{ left: cell.x, width: CELL_PX }}
            onClick={() => onSelect(cell)}
          >
            {cell.items ? (
              <Marks cell={cell} />
            ) : (
              <Bar cell={cell} maxCount={maxCount} maxHeight={(height * MAX_BAR) / HEIGHT} />
            )}
          </button>
        ))
      }
    </MarkRow>
  );
}

/** Accessible name of a cell: how many, how many out of range, when. */
function useCellName(kind: Kind): (cell: Cell) => string {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const flags = useResultFlags();
  return (cell) => {
    const when =
      cell.from === cell.to ? formats.dateFull(cell.from) : `${formats.date(cell.from)} – ${formats.date(cell.to)}`;
    return [t(`${kind}_count`, { count: cell.count }), ...flags(cell), when].filter(Boolean).join(', ');
  };
}

const CLASSES: Readonly<Record<Share, string | false>> = { none: false, few: 'tl-few', many: 'tl-abnormal' };

const Marks = ({ cell }: { cell: Cell }) =>
  cell.marks.map((mark, index) => (
    <i
      key={index}
      className={classNames('tl-mark', CLASSES[mark.abnormal])}
      style={{ left: mark.x, ...(mark.color && { '--mark': colorOf(mark.color, null) }) } as React.CSSProperties}
    />
  ));

/** A bar whose height grows with the logarithm of the count. */
const Bar = ({ cell, maxCount, maxHeight }: { cell: Cell; maxCount: number; maxHeight: number }) => (
  <i
    className={classNames('tl-bar', CLASSES[shareOf(cell)])}
    style={{ height: MIN_BAR + (maxHeight - MIN_BAR) * (Math.log1p(cell.count) / Math.log1p(maxCount)) }}
  />
);
