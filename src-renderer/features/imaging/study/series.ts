import type { ImagingStudy } from '../../../../src-shared/contract/imaging.ts';
import { imageIdOf } from '../engine/frames.ts';

/** A series that can be shown in a pane. */
export interface ShownSeries {
  study: number;
  /** Of the study. */
  date: string | null;
  id: number;
  name: string;
  modality: string | null;
  total: number;
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
    }));

export const imageIdsOf = ({ study, id, total }: ShownSeries): string[] =>
  Array.from({ length: total }, (_, index) => imageIdOf({ study, series: id, index }));

/** Where a series begins: in the middle, where the organs are, or with its only image. */
export const firstIndex = ({ total }: ShownSeries): number => (total > 2 ? Math.floor(total / 2) : 0);

export const LAYOUTS = ['1x1', '1x2', '2x1', '2x2'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** How many panes a layout has: columns by rows. */
export function gridOf(layout: Layout): { columns: number; rows: number } {
  const [columns, rows] = layout.split('x').map(Number);
  return { columns: columns ?? 1, rows: rows ?? 1 };
}
