import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { headerOf } from '../engine/engine.ts';
import { openPane } from '../engine/pane.ts';
import type { Vector } from '../engine/planes.ts';
import { Graphics } from './graphics.tsx';
import { Overlay } from './overlay.tsx';
import { firstIndex, imageIdAt, imageIdsOf } from './series.ts';
import type { Viewer } from './use-viewer.ts';
import type { ViewerWords } from './use-words.ts';
import { usePaneView } from './view-store.ts';
import './stack-pane.css';

interface Props {
  viewer: Viewer;
  slot: number;
  words: ViewerWords;
  patientName: string | null;
  /** Shows a point in the other panes. */
  locate: (slot: number, point: Vector) => void;
}

/** One picture of a series, with what is known of it in its corners. */
export function StackPane({ viewer, slot, words, patientName, locate }: Props) {
  const { machine, shown, active, panes, store, setActive, hasOverlays, count } = viewer;
  const { t } = words;
  const element = useRef<HTMLDivElement>(null);
  const series = shown[slot] ?? null;
  const view = usePaneView(store, slot);
  const first = useRef(series);
  first.current = series;
  const [under, setUnder] = useState<{ imageId: string; text: string } | null>(null);
  useEffect(() => {
    if (!machine || !element.current) return;
    const pane = openPane(machine.renderer, machine.group, { id: `pane-${slot}`, element: element.current }, (next) =>
      store.set(slot, next),
    );
    const slots = panes.current;
    slots[slot] = pane;
    if (first.current) pane.showStack(imageIdsOf(first.current), firstIndex(first.current));
    return () => {
      slots[slot] = null;
      pane.close();
    };
  }, [machine, slot, store, panes]);
  const seen = view.error === null ? view.shown : null;
  const imageId = series && seen !== null ? imageIdAt(series, seen) : undefined;
  const pointUnder = ({ clientX, clientY, currentTarget }: PointerEvent): Vector | null => {
    const viewport = panes.current[slot]?.viewport;
    if (!viewport || seen === null) return null;
    const { left, top } = currentTarget.getBoundingClientRect();
    return viewport.canvasToWorld([clientX - left, clientY - top]) as Vector;
  };
  const readUnder = (event: PointerEvent): void => {
    const point = pointUnder(event);
    if (!point || !imageId) return;
    const found = words.valueUnder(imageId, point);
    const text = found && t('pixel_at', { column: found.at[0], row: found.at[1], value: found.text });
    setUnder(text === null ? null : { imageId, text });
  };
  const at = (seen ?? view.index) + 1;
  const name = series ? t('picture', { name: series.name, at, total: series.total }) : t('empty_pane');
  const isLate = series !== null && !view.isDrawn && view.error === null;
  return (
    <div
      className={classNames('im-pane', count > 1 && active === slot && 'im-pane-active')}
      onPointerDownCapture={(event) => {
        setActive(slot);
        const point = event.shiftKey && event.button === 0 ? pointUnder(event) : null;
        if (point) locate(slot, point);
      }}
      // The engine swallows every key of an element that has the focus.
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={readUnder}
      onPointerLeave={() => setUnder(null)}
    >
      <div
        ref={element}
        className="im-canvas"
        role="img"
        aria-label={name}
        aria-busy={isLate}
        data-drawn={view.isDrawn || undefined}
        data-seen={seen ?? undefined}
        onContextMenu={(event) => event.preventDefault()}
      />
      {series && hasOverlays && (
        <Overlay
          series={series}
          view={view}
          header={imageId ? headerOf(imageId) : null}
          viewport={panes.current[slot]?.viewport ?? null}
          under={under?.imageId === imageId ? (under?.text ?? null) : null}
          words={words}
          patientName={patientName}
        />
      )}
      {imageId && hasOverlays && view.matrix && <Graphics imageId={imageId} matrix={view.matrix} />}
      {isLate && <p className="im-late num">{t('loading_at', { at: view.index + 1 })}</p>}
      {!series && <p className="im-pane-empty">{t('empty_pane')}</p>}
      {view.error !== null && series && (
        <Failure
          error={view.error}
          retry={() => panes.current[slot]?.showStack(imageIdsOf(series), view.index)}
          words={words}
        />
      )}
    </div>
  );
}

function Failure({ error, retry, words: { t } }: { error: unknown; retry: () => void; words: ViewerWords }) {
  const vocabulary = useVocabulary();
  return (
    <div className="im-failed" role="alert">
      <p>{error instanceof Error ? vocabulary.error(error) : t('failed')}</p>
      <Button size="small" onClick={retry}>
        {t('retry')}
      </Button>
    </div>
  );
}
