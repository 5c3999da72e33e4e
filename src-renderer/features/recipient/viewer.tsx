import { BookOpenText, ChevronLeft, ChevronRight, Languages, Minus, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState, type PointerEvent, type ReactNode, type RefObject } from 'react';
import type { BBox } from '../../../src-shared/medical/page.ts';
import { Icon } from '../../ui/icon.tsx';
import { boxStyle } from '../../ui/viewer/mark-layer.tsx';
import { RegionLayer } from '../../ui/viewer/region-layer.tsx';
import { ScreenHeading } from './action.tsx';
import type { Me, SharedDocument } from './door.ts';
import { PageImage } from './page-image.tsx';
import { PageText } from './page-text.tsx';
import { percentText, typeOf, useTexts } from './texts.ts';
import { TranslateSheet } from './translate-sheet.tsx';
import { usePageZoom, type PageZoom } from './use-page-zoom.ts';
import { useViewerKeys } from './use-viewer-keys.ts';
import '../../ui/viewer/viewer.css';
import './recipient-viewer.css';

const WHOLE_PAGE: BBox = [0, 0, 1, 1];
/** A finger that moves as far to the side, and not as far up or down, turns the page. */
const SWIPE_PX = 60;

/** What is translated: nothing, a part that is being drawn, or this part. */
type Region = null | 'drawing' | BBox;

/** One page of a document at a time, as a picture or as text. */
export function ViewerScreen({
  me,
  document,
  isText,
  onText,
  onBack,
  onCheck,
}: {
  me: Me;
  document: SharedDocument;
  isText: boolean;
  onText: (isText: boolean) => void;
  onBack: () => void;
  /** Asks whether the session goes on, and for what is left of the limits. */
  onCheck: () => Promise<void>;
}) {
  const { t } = useTexts();
  const stage = useRef<HTMLDivElement>(null);
  const zoom = usePageZoom(stage);
  const { page, count, turn, turnTo, region, setRegion } = usePlace(document, stage);
  const part = region === 'drawing' ? null : region;
  const draw = (): void => setRegion('drawing');
  // What had the focus is gone.
  const close = (): void => {
    setRegion(null);
    stage.current?.focus({ preventScroll: true });
  };
  useViewerKeys({ turn, zoom, leave: () => (region === null ? onBack() : close()) });
  // Text is never wider than the stage.
  const fits = isText || zoom.zoom === 1;
  const swipe = useSwipe(fits && region === null, turn);
  const [name, place] = [typeOf(t, document), t.page_of(page, count)];
  const canTranslate = me.default_translation_language !== null && !isText;
  const switchTo = (next: boolean): void => {
    setRegion(null);
    onText(next);
  };
  return (
    <main className="rv">
      <Top name={name} place={place} isText={isText} onText={switchTo} onBack={onBack} />
      <Stage place={place} stage={stage} fits={fits} isCovered={part !== null} swipe={swipe}>
        {isText ? (
          <PageText
            document={document}
            page={page}
            count={count}
            zoom={zoom.zoom}
            onTurnTo={turnTo}
            onFailed={onCheck}
          />
        ) : (
          <PageImage key={page} documentId={document.id} page={page} name={name} zoom={zoom.zoom} onFailed={onCheck}>
            {region === 'drawing' && <RegionLayer onPick={setRegion} />}
            {part && <ChosenPart key={part.join()} bbox={part} />}
          </PageImage>
        )}
      </Stage>
      {region === 'drawing' ? (
        <DrawingBar onWhole={() => setRegion(WHOLE_PAGE)} onCancel={close} />
      ) : (
        <Bar page={page} count={count} zoom={zoom} onTurn={turn} onTranslate={canTranslate ? draw : null} />
      )}
      {part && (
        <TranslateSheet
          key={part.join()}
          me={me}
          documentId={document.id}
          page={page}
          bbox={part}
          onAnother={draw}
          onClose={close}
          onUsed={onCheck}
        />
      )}
    </main>
  );
}

/** Where the page is; it scrolls. */
function Stage({
  place,
  stage,
  fits,
  isCovered,
  swipe,
  children,
}: {
  place: string;
  stage: RefObject<HTMLDivElement | null>;
  /** Nothing of the page is beside the stage. */
  fits: boolean;
  /** A sheet covers a part of it. */
  isCovered: boolean;
  swipe: ReturnType<typeof useSwipe>;
  children: ReactNode;
}) {
  return (
    <div
      className="rv-stage"
      ref={stage}
      tabIndex={0}
      role="region"
      aria-label={place}
      data-fits={fits || undefined}
      data-covered={isCovered || undefined}
      {...swipe}
    >
      {children}
    </div>
  );
}

/** The part that is translated, brought above the sheet with its translation. */
function ChosenPart({ bbox }: { bbox: BBox }) {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'start' });
  }, []);
  return <i ref={mark} className="vw-mark vw-mark-region" style={boxStyle(bbox)} />;
}

/** The page that is shown, and the part of it that is translated. */
function usePlace({ page_count }: SharedDocument, stage: RefObject<HTMLElement | null>) {
  const [page, setPage] = useState(1);
  const [region, setRegion] = useState<Region>(null);
  const count = Math.max(1, page_count ?? 1);
  const turnTo = (wanted: number): void => {
    const next = Math.min(Math.max(wanted, 1), count);
    if (next === page) return;
    setPage(next);
    setRegion(null);
    stage.current?.scrollTo({ top: 0, left: 0, behavior: 'instant' });
  };
  const turn = (by: 1 | -1): void => turnTo(page + by);
  return { page, count, turn, turnTo, region, setRegion };
}

function Top({
  name,
  place,
  isText,
  onText,
  onBack,
}: {
  name: string;
  place: string;
  isText: boolean;
  onText: (isText: boolean) => void;
  onBack: () => void;
}) {
  const { t } = useTexts();
  return (
    <header className="rv-top">
      <button type="button" className="rp-icon" aria-label={t.back} onClick={onBack}>
        <Icon glyph={ChevronLeft} size={22} />
      </button>
      <div>
        <ScreenHeading>{name}</ScreenHeading>
        <p role="status">{place}</p>
      </div>
      <button
        type="button"
        className="rp-icon"
        aria-label={t.text_show}
        title={t.text_show}
        aria-pressed={isText}
        onClick={() => onText(!isText)}
      >
        <Icon glyph={BookOpenText} size={20} />
      </button>
    </header>
  );
}

/** Turns the page by a finger that moves to the side; a second finger zooms instead. */
function useSwipe(isOn: boolean, turn: (by: 1 | -1) => void) {
  const start = useRef<{ id: number; x: number; y: number } | null>(null);
  return {
    onPointerDown: ({ pointerId: id, pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) => {
      start.current = isOn && isPrimary && pointerType === 'touch' ? { id, x, y } : null;
    },
    onPointerUp: ({ pointerId, clientX, clientY }: PointerEvent) => {
      const from = start.current;
      start.current = null;
      if (from?.id !== pointerId) return;
      const [across, down] = [clientX - from.x, clientY - from.y];
      if (Math.abs(across) >= SWIPE_PX && Math.abs(down) < SWIPE_PX) turn(across < 0 ? 1 : -1);
    },
    onPointerCancel: () => {
      start.current = null;
    },
  };
}

function Bar({
  page,
  count,
  zoom,
  onTurn,
  onTranslate,
}: {
  page: number;
  count: number;
  zoom: PageZoom;
  onTurn: (by: 1 | -1) => void;
  /** Null where nothing translates. */
  onTranslate: (() => void) | null;
}) {
  const { t, language } = useTexts();
  return (
    <footer className="rv-bar">
      <span>
        <button type="button" aria-label={t.previous} disabled={page <= 1} onClick={() => onTurn(-1)}>
          <Icon glyph={ChevronLeft} size={22} />
        </button>
        <button type="button" aria-label={t.next} disabled={page >= count} onClick={() => onTurn(1)}>
          <Icon glyph={ChevronRight} size={22} />
        </button>
      </span>
      <span>
        <button type="button" aria-label={t.smaller} disabled={!zoom.canShrink} onClick={() => zoom.step(-1)}>
          <Icon glyph={Minus} size={20} />
        </button>
        <output>{percentText(language, zoom.zoom)}</output>
        <button type="button" aria-label={t.larger} disabled={!zoom.canGrow} onClick={() => zoom.step(1)}>
          <Icon glyph={Plus} size={20} />
        </button>
      </span>
      {onTranslate && (
        <button type="button" className="rp-button rp-small" onClick={onTranslate}>
          <Icon glyph={Languages} size={18} />
          {t.translate}
        </button>
      )}
    </footer>
  );
}

/** How to say what is to be translated: by drawing, or, without a pointer, the whole page. */
function DrawingBar({ onWhole, onCancel }: { onWhole: () => void; onCancel: () => void }) {
  const { t } = useTexts();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => bar.current?.querySelector('button')?.focus(), []);
  return (
    <footer className="rv-bar rv-drawing" ref={bar}>
      <p role="status">{t.translate_hint}</p>
      <button type="button" className="rp-button rp-small" onClick={onWhole}>
        {t.translate_page}
      </button>
      <button type="button" className="rp-icon" aria-label={t.translate_cancel} onClick={onCancel}>
        <Icon glyph={X} size={20} />
      </button>
    </footer>
  );
}
