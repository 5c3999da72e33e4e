import { ChevronLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { ScreenHeading } from './action.tsx';
import { door, type FrameWindow, type SharedDocument, type SharedStudy } from './door.ts';
import { FrameBar } from './frame-bar.tsx';
import { FrameImage } from './frame-image.tsx';
import { dateText, useTexts } from './texts.ts';
import { useFrameKeys } from './use-frame-keys.ts';
import { usePageZoom } from './use-page-zoom.ts';
import './frames.css';

type SharedSeries = SharedStudy['series'][number];

/** The pictures of a shared study, one frame at a time; nothing of it is loaded before it is opened. */
export default function FramesScreen({
  document,
  onBack,
  onCheck,
}: {
  document: SharedDocument;
  onBack: () => void;
  /** Asks whether the session goes on. */
  onCheck: () => Promise<void>;
}) {
  const { t, language } = useTexts();
  const { studies, hasFailed, retry } = useStudies(document.id, onCheck);
  const all = studies.flatMap((study) => study.series.map((series) => ({ study, series })));
  const [chosen, setChosen] = useState(0);
  const shown = all[chosen];
  const date = shown?.study.study_date;
  return (
    <main className="rv rf">
      <header className="rv-top">
        <button type="button" className="rp-icon" aria-label={t.back} onClick={onBack}>
          <Icon glyph={ChevronLeft} size={22} />
        </button>
        <div>
          <ScreenHeading>{(shown && nameOfStudy(shown.study)) || t.images}</ScreenHeading>
          <p>{[date && dateText(language, date), t.not_for_diagnosis].filter(Boolean).join(' · ')}</p>
        </div>
      </header>
      {shown ? (
        <SeriesView
          key={shown.series.series_id}
          documentId={document.id}
          series={shown.series}
          names={all.map(({ series }, index) => nameOfSeries(series, index))}
          chosen={chosen}
          onChoose={setChosen}
          onBack={onBack}
          onCheck={onCheck}
        />
      ) : (
        <div className="rv-note" role={hasFailed ? 'alert' : 'status'}>
          <p>{hasFailed ? t.image_failed : t.image_loading}</p>
          {hasFailed && (
            <button type="button" className="rp-button" onClick={retry}>
              {t.retry}
            </button>
          )}
        </div>
      )}
    </main>
  );
}

const nameOfStudy = ({ modality, study_description, body_part }: SharedStudy): string =>
  [modality, study_description ?? body_part].filter(Boolean).join(' ');
const nameOfSeries = ({ series_description, modality, series_number }: SharedSeries, index: number): string =>
  series_description ?? [modality, series_number ?? index + 1].filter(Boolean).join(' ');

function useStudies(documentId: number, onCheck: () => Promise<void>) {
  const [studies, setStudies] = useState<readonly SharedStudy[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isLeft = false;
    door
      .studies(documentId)
      .then((found) => {
        if (!isLeft) setStudies(found);
      })
      .catch(async () => {
        if (isLeft) return;
        setFailed(true);
        await onCheck();
      });
    return () => {
      isLeft = true;
    };
  }, [documentId, attempt, onCheck]);
  const retry = (): void => {
    setFailed(false);
    setAttempt(attempt + 1);
  };
  return { studies, hasFailed, retry };
}

/** A stack that begins in its middle, where the organs are. */
function SeriesView({
  documentId,
  series,
  names,
  chosen,
  onChoose,
  onBack,
  onCheck,
}: {
  documentId: number;
  series: SharedSeries;
  /** Of all series. */
  names: readonly string[];
  chosen: number;
  onChoose: (index: number) => void;
  onBack: () => void;
  onCheck: () => Promise<void>;
}) {
  const total = series.num_images;
  const stage = useRef<HTMLDivElement>(null);
  const zoom = usePageZoom(stage);
  const [index, setIndex] = useState(total > 2 ? Math.floor(total / 2) : 0);
  const [window, setWindow] = useState<FrameWindow | null>(null);
  const [isInverted, setInverted] = useState(false);
  const goTo = (next: number): void => setIndex(Math.min(Math.max(next, 0), total - 1));
  const invert = (): void => setInverted(!isInverted);
  useFrameKeys({ index, total, goTo, zoom, invert, leave: onBack });
  const { window_center: center, window_width: width } = series;
  const own = center !== null && width !== null ? { center, width } : null;
  return (
    <>
      <FrameImage
        address={{ documentId, series: series.series_id, index, window }}
        {...{ stage, zoom, isInverted, total, onCheck }}
        name={names[chosen] ?? ''}
        window={window ?? own}
        onWindow={setWindow}
        onScroll={(by) => goTo(index + by)}
      />
      <FrameBar
        {...{ index, total, goTo, zoom, names, chosen, onChoose, isInverted, window }}
        isCt={series.modality === 'CT'}
        onInvert={invert}
        onWindow={setWindow}
      />
    </>
  );
}
