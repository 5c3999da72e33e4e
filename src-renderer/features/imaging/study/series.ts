import type { ImagingStudy } from '../../../../src-shared/contract/imaging.ts';
import { imageIdOf } from '../engine/frames.ts';
import { SECTIONS, type Section } from '../engine/volume.ts';
import { cutIdOf, sectionOf } from '../engine/volumes.ts';

/** A series that can be shown in a pane. */
export interface ShownSeries {
  study: number;
  /** Of the study. */
  date: string | null;
  id: number;
  name: string;
  modality: string | null;
  total: number;
  /** The plane in which its volume is cut; null for its own images. */
  section: Section | null;
}

/** The series of a study that have images. */
export const shownSeries = (study: ImagingStudy): ShownSeries[] =>
  study.series
    .filter(({ num_images }) => num_images > 0)
    .map((series, index) => ({
      study: study.id,
      date: study.study_date,
      id: series.series_id,
      name:
        series.series_description ??
        [series.modality, series.series_number ?? index + 1].filter((part) => part !== null).join(' '),
      modality: series.modality,
      total: series.num_images,
      section: null,
    }));

/** The name of an image of a series in the engine. */
export const imageIdAt = ({ study, id, section }: ShownSeries, index: number): string =>
  section === null ? imageIdOf({ study, series: id, index }) : cutIdOf({ study, id }, section, index);

export const imageIdsOf = (series: ShownSeries): string[] =>
  Array.from({ length: series.total }, (_, index) => imageIdAt(series, index));

/** Whether a pane shows the images of this series themselves. */
export const showsImagesOf = (shown: ShownSeries | null | undefined, series: number): boolean =>
  shown?.id === series && shown.section === null;

/** The planes of a series whose volume is in memory; `nameOf` names each. */
export const cutSeries = (series: ShownSeries, nameOf: (section: Section) => string): ShownSeries[] =>
  SECTIONS.flatMap((section) => {
    const grid = sectionOf(series, section);
    return grid ? { ...series, section, name: nameOf(section), total: grid.count } : [];
  });

/** Where a series begins: in the middle, where the organs are, or with its only image. */
export const firstIndex = ({ total }: ShownSeries): number => (total > 2 ? Math.floor(total / 2) : 0);

export const LAYOUTS = ['1x1', '1x2', '2x1', '2x2'] as const;
/** `planes` has a large picture beside two small ones. */
export type Layout = (typeof LAYOUTS)[number] | 'planes';

/** How many panes a layout has. */
export function paneCount(layout: Layout): number {
  if (layout === 'planes') return SECTIONS.length;
  const [columns, rows] = layout.split('x').map(Number);
  return (columns ?? 1) * (rows ?? 1);
}
