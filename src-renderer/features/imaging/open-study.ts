import type { QueryClient } from '@tanstack/react-query';
import { askEarly } from './engine/early-frame.ts';
import { studyQuery } from './queries.ts';
import { firstIndex, imageIdAt, shownSeries } from './study/series.ts';

/** Asks for a study and its first frame while the scripts that show them load. */
export async function openStudy(client: QueryClient, id: number, seriesId: string | undefined): Promise<void> {
  const study = await client.fetchQuery(studyQuery(id)).catch(() => null);
  // Why there is none is said by the page.
  const all = study ? shownSeries(study) : [];
  const first = all.find((series) => String(series.id) === seriesId) ?? all[0];
  if (first) askEarly(imageIdAt(first, firstIndex(first)));
}
