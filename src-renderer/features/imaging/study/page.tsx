import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ImagingStudy } from '../../../../src-shared/contract/imaging.ts';
import { ApiError } from '../../../client/api.ts';
import { Gone } from '../../../client/gone.tsx';
import { useFormats } from '../../../client/format.ts';
import { useItemTitle } from '../../../client/page-title.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Crumb } from '../../../ui/top-bar-places.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { COARSE, useMedia } from '../../../ui/use-media.ts';
import { headerOf } from '../engine/engine.ts';
import { windowChoices } from '../engine/windows.ts';
import { usePriors, useStudy } from '../queries.ts';
import { studyTitle } from '../../../client/study-title.ts';
import { MarksPanel } from './marks-panel.tsx';
import { ReportPane } from './report-pane.tsx';
import { imageIdAt, shownSeries } from './series.ts';
import { SeriesRail } from './series-rail.tsx';
import { StackPane } from './stack-pane.tsx';
import { Toolbar } from './toolbar.tsx';
import { useCine } from './use-cine.ts';
import { findKeyImages } from './find-key-images.ts';
import { useMarks } from './use-marks.ts';
import { usePlanes, type Planes } from './use-planes.ts';
import { useSync } from './use-sync.ts';
import { useViewer, type Viewer } from './use-viewer.ts';
import { useViewerKeys } from './use-viewer-keys.ts';
import { useWords, type ViewerWords } from './use-words.ts';
import { usePaneView } from './view-store.ts';
import './viewer.css';
import './planes.css';

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'imaging.not_found';

/** A study with its pictures, and the report beside them. */
export default function StudyPage() {
  const id = Number(useParams({ from: '/frame/imaging/$id' }).id);
  const { data: study, error, refetch } = useStudy(id);
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const words = useWords();
  const { t } = words;
  const title = study && [studyTitle(study, t('untitled')), study.study_date && formats.date(study.study_date)];
  const name = title?.filter(Boolean).join(', ');
  useItemTitle(name);
  if (!study)
    return (
      <div className="page">
        {error === null && <SkeletonLines count={8} label={t('loading')} />}
        {error !== null && isGone(error) && <Gone text={vocabulary.error(error)} list="imaging" />}
        {error !== null && !isGone(error) && (
          <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
        )}
      </div>
    );
  return (
    <div className="im-study">
      <Crumb>{name}</Crumb>
      <h1 className="sr-only">{name}</h1>
      {shownSeries(study).length > 0 ? (
        <StudyViewer key={study.id} study={study} words={words} />
      ) : (
        <>
          <EmptyState title={t('no_images')}>{t('no_images_text')}</EmptyState>
          <ReportPane study={study} words={words} />
        </>
      )}
    </div>
  );
}

function StudyViewer({ study, words }: { study: ImagingStudy; words: ViewerWords }) {
  const series = shownSeries(study);
  const isTouched = useMedia(COARSE);
  const search = useSearch({ from: '/frame/imaging/$id' });
  const viewer = useViewer(series, words, {
    firstTool: isTouched ? 'scroll' : 'window',
    firstSeries: series.find(({ id }) => String(id) === search.series) ?? series[0],
  });
  const { prior, priors, priorSeries, onPrior } = useComparison(study);
  const shown = viewer.shown[viewer.active];
  const seen = viewer.view.shown;
  const header = shown && seen !== null ? headerOf(imageIdAt(shown, seen)) : null;
  const choices = header && header.type !== 'rgb8' ? windowChoices(header) : [];
  const cine = useCine(viewer, header?.frameRate ?? null);
  const { locate } = useSync(viewer);
  const planes = usePlanes(viewer, words);
  const marks = useMarks(study, prior, viewer);
  const allSeries = [...series, ...priorSeries];
  const keyImages = findKeyImages(marks.items, allSeries, viewer);
  useViewerKeys(viewer, { series, choices, cine, marks, keyImages, planes });
  const rail = { viewer, series, priors, prior, priorSeries, onPrior, keyImages, words };
  return (
    <section className="im-viewer" aria-label={words.t('viewer')}>
      <Toolbar viewer={viewer} choices={choices} cine={cine} marks={marks} planes={planes} words={words} />
      <SeriesRail {...rail} />
      <div className="im-grid" data-layout={viewer.layout}>
        {Array.from({ length: viewer.count }, (_, slot) => (
          <StackPane
            key={slot}
            viewer={viewer}
            slot={slot}
            words={words}
            patientName={study.patient_name}
            locate={locate}
          />
        ))}
      </div>
      <Slider viewer={viewer} planes={planes} words={words} />
      <div className="im-beside">
        <MarksPanel marks={marks} series={allSeries} viewer={viewer} words={words} />
        <ReportPane study={study} words={words} />
      </div>
    </section>
  );
}

/** The earlier study of the address, whose series can be shown beside those of this one. */
function useComparison(study: ImagingStudy) {
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/imaging/$id' });
  const priors = usePriors(study);
  const prior = priors.find(({ id }) => String(id) === search.prior)?.id ?? null;
  const compared = useStudy(prior ?? study.id).data;
  return {
    priors,
    prior,
    priorSeries: prior !== null && compared?.id === prior ? shownSeries(compared) : [],
    onPrior: (id: number | null) =>
      void navigate({
        to: '/imaging/$id',
        params: { id: String(study.id) },
        search: (before) => ({ ...before, prior: id === null ? undefined : String(id) }),
        replace: true,
      }),
  };
}

/** The way through the active stack for fingers, keys and screen readers; it says once that nothing here is for diagnosis. */
function Slider({ viewer, planes, words: { t } }: { viewer: Viewer; planes: Planes; words: ViewerWords }) {
  const view = usePaneView(viewer.store, viewer.active);
  const text = t('at', { at: view.index + 1, total: view.total });
  return (
    <div className="im-foot">
      <input
        type="range"
        min={1}
        max={Math.max(1, view.total)}
        value={view.index + 1}
        disabled={view.total < 2}
        aria-label={t('slider')}
        aria-valuetext={text}
        onChange={({ target }) => viewer.pane()?.goTo(Number(target.value) - 1)}
      />
      <span className="num">{text}</span>
      {planes.isShown && <span className="im-note">{t(planes.isReduced ? 'planes_note_reduced' : 'planes_note')}</span>}
      <span className="im-note">{t('not_for_diagnosis')}</span>
    </div>
  );
}
