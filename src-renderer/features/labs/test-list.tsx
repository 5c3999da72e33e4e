import { useVirtualizer } from '@tanstack/react-virtual';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Minus } from 'lucide-react';
import { useEffect, useRef, type RefObject } from 'react';
import type { LabSummaryItem } from '../../../src-shared/contract/labs.ts';
import { FLAG_SIGNS, flagOf, labValueText, rangeOf, rangeText } from '../../client/lab-text.ts';
import { Sparkline } from '../../ui/chart/sparkline.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { DoubtMark } from '../../client/doubt-mark.tsx';
import { nameOf, type Group } from './groups.ts';
import type { LabLabels } from './labels.ts';

/** Row heights in pixels; rows are higher for touch. */
const ROW_HEIGHT = 40;
const TOUCH_ROW_HEIGHT = 48;
const HEADING_HEIGHT = 34;
const OVERSCAN = 10;
const ARROWS = { up: ArrowUp, down: ArrowDown, steady: Minus } as const;

type Line = { head: string } | { item: LabSummaryItem };

/** Tests by category with their last values; only rows in view are rendered. Scrolls to the selected test. */
export function TestList({
  groups,
  selectedKey,
  labels,
}: {
  groups: readonly Group[];
  selectedKey: string | undefined;
  labels: LabLabels;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = matchMedia('(pointer: coarse)').matches ? TOUCH_ROW_HEIGHT : ROW_HEIGHT;
  const lines: Line[] = groups.flatMap(({ category, items }): Line[] => [
    { head: labels.category(category) },
    ...items.map((item) => ({ item })),
  ]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index] && 'head' in lines[index] ? HEADING_HEIGHT : height),
    overscan: OVERSCAN,
  });
  const at = lines.findIndex((line) => 'item' in line && line.item.key === selectedKey);
  useScrollToLine({ scroller, lines, at, height });
  const total = lines.length;
  return (
    <div ref={scroller} className="lab-list" role="list" aria-label={labels.t('list')} tabIndex={-1}>
      <div className="lab-list-space" style={{ height: rows.getTotalSize() }} role="presentation">
        {rows.getVirtualItems().map(({ index, start, size }) => {
          const line = lines[index];
          if (!line) return null;
          return (
            <div
              key={'head' in line ? `head ${line.head}` : line.item.key}
              className="lab-line"
              style={{ height: size, transform: `translateY(${start}px)` }}
              role="listitem"
              aria-setsize={total}
              aria-posinset={index + 1}
            >
              {'head' in line ? (
                <h2 className="lab-category">{line.head}</h2>
              ) : (
                <TestRow item={line.item} isSelected={line.item.key === selectedKey} labels={labels} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Scrolls to the selected line when it changes. */
function useScrollToLine({
  scroller,
  lines,
  at,
  height,
}: {
  scroller: RefObject<HTMLElement | null>;
  lines: readonly Line[];
  at: number;
  height: number;
}): void {
  const top = lines
    .slice(0, Math.max(0, at))
    .reduce((sum, line) => sum + ('head' in line ? HEADING_HEIGHT : height), 0);
  useEffect(() => {
    const list = scroller.current;
    if (!list || at < 0) return;
    // Keeps one extra line in view, so that the next test is visible before it is reached.
    if (top - HEADING_HEIGHT < list.scrollTop) list.scrollTop = Math.max(0, top - HEADING_HEIGHT);
    else if (top + 2 * height > list.scrollTop + list.clientHeight)
      list.scrollTop = top + 2 * height - list.clientHeight;
  }, [scroller, at, top, height]);
}

function TestRow({ item, isSelected, labels }: { item: LabSummaryItem; isSelected: boolean; labels: LabLabels }) {
  const { last } = item;
  const flag = last.flag ?? flagOf({ ...last, is_abnormal: null });
  return (
    <Link
      to="/labs"
      search={(search) => ({ ...search, test: item.key, unit: undefined })}
      resetScroll={false}
      className="lab-row"
      aria-current={isSelected ? 'true' : undefined}
    >
      <span className="lab-name">
        <span className="truncate strong">{nameOf(item, labels.language)}</span>
        <DoubtMark doubt={last.doubt} />
      </span>
      <span className="cap num lab-date" title={labels.date(last.date)}>
        {labels.dateShort(last.date)}
      </span>
      <span className={classNames('num r', flag && (flag === 'low' ? 'low' : 'high'))}>
        {labValueText(last, labels.locale)}
        {flag && <span aria-hidden="true"> {FLAG_SIGNS[flag]}</span>}
        {flag && <span className="sr-only"> {labels.flag(flag)}</span>}
      </span>
      <span className="cap truncate">{last.unit}</span>
      <span className="cap num truncate lab-range">{rangeText(rangeOf(last), labels.locale)}</span>
      <span className="lab-trend">
        {item.trend && (
          <>
            <Icon glyph={ARROWS[item.trend]} size={12} />
            <span className="sr-only">{labels.t(item.trend)}</span>
          </>
        )}
      </span>
      <Sparkline
        values={item.series.map((point) => point.value)}
        flag={flag === 'abnormal' ? 'high' : flag}
        width={64}
      />
    </Link>
  );
}
