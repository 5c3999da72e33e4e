import { useState } from 'react';
import type { ListedStudy } from '../../../../src-shared/contract/imaging.ts';
import { addressOf, contract } from '../../../client/api.ts';
import { useFormats } from '../../../client/format.ts';
import { Select } from '../../../ui/field.tsx';
import { studyTitle } from '../../../client/study-title.ts';
import { KeyImagesRail } from './key-images.tsx';
import type { ShownSeries } from './series.ts';
import type { KeyImages } from './find-key-images.ts';
import type { Viewer } from './use-viewer.ts';
import type { ViewerWords } from './use-words.ts';

interface Props {
  viewer: Viewer;
  series: readonly ShownSeries[];
  priors: readonly ListedStudy[];
  /** The study that is compared. */
  prior: number | null;
  priorSeries: readonly ShownSeries[];
  onPrior: (id: number | null) => void;
  keyImages: KeyImages;
  words: ViewerWords;
}

/** The key images and the series of the study, and of the one that it is compared with; a click shows one in the active pane. */
export function SeriesRail({ viewer, series, priors, prior, priorSeries, onPrior, keyImages, words }: Props) {
  const { t } = words;
  const formats = useFormats();
  const dated = ({ study_date, ...study }: ListedStudy): string =>
    [study_date && formats.date(study_date), studyTitle(study, t('untitled'))].filter(Boolean).join(' · ');
  return (
    <nav className="im-rail" aria-label={t('series')}>
      <KeyImagesRail keyImages={keyImages} words={words} />
      <SeriesList viewer={viewer} series={series} words={words} />
      {priors.length > 0 && (
        <div className="im-prior">
          <Select
            aria-label={t('compare')}
            value={prior === null ? '' : String(prior)}
            options={[
              { value: '', label: t('compare_with') },
              ...priors.map((study) => ({ value: String(study.id), label: dated(study) })),
            ]}
            onChange={({ target }) => onPrior(target.value === '' ? null : Number(target.value))}
          />
          <SeriesList viewer={viewer} series={priorSeries} words={words} />
        </div>
      )}
    </nav>
  );
}

function SeriesList({ viewer, series, words }: Pick<Props, 'viewer' | 'series' | 'words'>) {
  // The picture that people came for is decoded before the small ones.
  const [isLoading, setLoading] = useState(true);
  if (isLoading && viewer.views.some(({ shown, error }) => shown !== null || error !== null)) setLoading(false);
  return (
    <ul className="im-series">
      {series.map((one) => (
        <li key={one.id}>
          <button
            type="button"
            aria-pressed={viewer.shown[viewer.active]?.id === one.id}
            onClick={() => viewer.show(viewer.active, one)}
          >
            <span className="im-thumb">
              <img src={isLoading ? undefined : thumbnailOf(one)} alt="" loading="lazy" draggable={false} />
              <span className="im-count num">{one.total}</span>
            </span>
            <span className="im-series-name">{words.t('series_of', { name: one.name, count: one.total })}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const thumbnailOf = (series: ShownSeries): string =>
  addressOf(contract.imaging.seriesThumbnail, { params: { id: series.study, series_id: series.id } });
