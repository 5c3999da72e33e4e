import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { headerOf } from '../engine/engine.ts';
import { openPane } from '../engine/pane.ts';
import type { Vector } from '../engine/planes.ts';
import { Overlay } from './overlay.tsx';
import { firstIndex, imageIdsOf } from './series.ts';
import type { Viewer } from './use-viewer.ts';
import type { ViewerWords } from './use-words.ts';

interface Props {
  viewer: Viewer;
  slot: number;
  words: ViewerWords;
  patientName: string | null;
}

/** One picture of a series, with what is known of it in its corners. */
export function StackPane({ viewer, slot, words, patientName }: Props) {
  const { machine, shown, views, active, panes, setView, setActive, hasOverlays, count } = viewer;
  const { t } = words;
  const element = useRef<HTMLDivElement>(null);
  const series = shown[slot] ?? null;
  const view = views[slot]!;
  const first = useRef(series);
  first.current = series;
  const [under, setUnder] = useState<string | null>(null);
  useEffect(() => {
    if (!machine || !element.current) return;
    const pane = openPane(machine.renderer, machine.group, { id: `pane-${slot}`, element: element.current }, (next) =>
      setView(slot, next),
    );
    const slots = panes.current;
    slots[slot] = pane;
    if (first.current) void pane.showStack(imageIdsOf(first.current), firstIndex(first.current));
    return () => {
      slots[slot] = null;
      pane.close();
    };
  }, [machine, slot, setView, panes]);
  const imageId = series ? imageIdsOf(series)[view.index] : undefined;
  const readUnder = ({ clientX, clientY, currentTarget }: PointerEvent): void => {
    const viewport = panes.current[slot]?.viewport;
    if (!viewport || !imageId || !view.isDrawn) return;
    const { left, top } = currentTarget.getBoundingClientRect();
    const found = words.valueUnder(imageId, viewport.canvasToWorld([clientX - left, clientY - top]) as Vector);
    setUnder(found && t('pixel_at', { column: found.at[0], row: found.at[1], value: found.text }));
  };
  const name = series ? t('picture', { name: series.name, at: view.index + 1, total: series.total }) : t('empty_pane');
  return (
    <div
      className={classNames('im-pane', count > 1 && active === slot && 'im-pane-active')}
      onPointerDownCapture={() => setActive(slot)}
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
        aria-busy={series !== null && !view.isDrawn && view.error === null}
        data-drawn={view.isDrawn || undefined}
        onContextMenu={(event) => event.preventDefault()}
      />
      {series && hasOverlays && (
        <Overlay
          series={series}
          view={view}
          header={imageId ? headerOf(imageId) : null}
          viewport={panes.current[slot]?.viewport ?? null}
          under={under}
          words={words}
          patientName={patientName}
        />
      )}
      {!series && <p className="im-pane-empty">{t('empty_pane')}</p>}
      {view.error !== null && series && (
        <Failure
          error={view.error}
          retry={() => void panes.current[slot]?.showStack(imageIdsOf(series), view.index)}
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
