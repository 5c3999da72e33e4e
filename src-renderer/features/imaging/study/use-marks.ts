import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { ImagingStudy, StudyMark } from '../../../../src-shared/contract/imaging.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useToasts } from '../../../client/toasts.tsx';
import {
  drawMarks,
  nameDrawing,
  removeDrawing,
  selectedDrawings,
  watchDrawings,
  type DrawnMark,
} from '../engine/annotations.ts';
import { isCut, placeOf } from '../engine/frames.ts';
import { imageIdAt, showsImagesOf } from './series.ts';
import { useMayChange } from './use-may-change.ts';
import type { Viewer } from './use-viewer.ts';

type NewMark = Pick<StudyMark, 'study_id' | 'series_id' | 'index' | 'kind'> &
  Partial<Pick<StudyMark, 'points' | 'measured' | 'label'>>;

export type Marks = ReturnType<typeof useMarks>;

/**
 * The measurements and key images of a study and of the one that it is compared with: drawn where they belong, saved
 * when they are drawn or moved.
 */
export function useMarks(study: ImagingStudy, prior: number | null, viewer: Viewer) {
  const mayChange = useMayChange(study);
  const items = useSavedMarks(study.id, prior);
  const saving = useSaving();
  useSavedDrawings(mayChange, saving);
  useDrawn(items, viewer);
  const series = viewer.shown[viewer.active];
  const keyImageAt = (index: number | null): StudyMark | undefined =>
    items.find((mark) => mark.kind === 'key_image' && showsImagesOf(series, mark.series_id) && mark.index === index);
  const toggleKeyImage = (): void => {
    // People mark the picture that they see.
    const index = viewer.viewNow().shown;
    const keyImage = keyImageAt(index);
    if (keyImage) saving.remove(keyImage);
    else if (series && index !== null)
      void saving.add({ study_id: series.study, series_id: series.id, index, kind: 'key_image' });
  };
  return {
    items,
    mayChange,
    remove: saving.remove,
    rename: saving.rename,
    isKeyImage: keyImageAt(viewer.view.shown) !== undefined,
    /** Null where nothing can be marked. */
    toggleKeyImage: mayChange && series?.section === null ? toggleKeyImage : null,
    /** Removes the drawings that are selected; those of people who may only look are not saved. */
    removeSelected(): void {
      for (const { uid, id } of selectedDrawings()) {
        const mark = items.find((item) => item.id === id);
        if (id === null) removeDrawing(uid);
        else if (mark && mayChange) saving.remove(mark);
      }
    },
  };
}

const markKey = (study: number) => [...cacheKeys.imaging, 'marks', study] as const;

function useSavedMarks(study: number, prior: number | null): readonly StudyMark[] {
  const found = useQueries({
    queries: [study, ...(prior === null ? [] : [prior])].map((id) => ({
      queryKey: markKey(id),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(contract.imaging.marks, { params: { id: String(id) } }, signal),
    })),
    combine: (results) => results.map(({ data }) => data?.items),
  });
  return useMemo(() => found.flatMap((items) => items ?? []), [found]);
}

/** Draws what is saved into the pictures that are shown. */
function useDrawn(items: readonly StudyMark[], { shown, views, count, panes }: Viewer): void {
  useEffect(() => {
    for (let slot = 0; slot < count; slot += 1) {
      const [series, view, pane] = [shown[slot], views[slot], panes.current[slot]];
      const seen = view?.shown ?? null;
      if (!series || seen === null || !pane) continue;
      const ofFrame = items.filter(({ series_id, index }) => showsImagesOf(series, series_id) && index === seen);
      if (ofFrame.length > 0) drawMarks(imageIdAt(series, seen), ofFrame, pane.id);
    }
  }, [items, shown, views, count, panes]);
}

type Saving = ReturnType<typeof useSaving>;
const at = ({ id, study_id }: StudyMark) => ({ params: { id: String(study_id), mark_id: String(id) } });

function useSaving() {
  const client = useQueryClient();
  const { begin, showError } = useToasts();
  const refresh = (study: number) => client.invalidateQueries({ queryKey: markKey(study) });
  const add = async ({ study_id, ...mark }: NewMark, onSaved?: (saved: StudyMark) => void): Promise<void> => {
    const body = { points: [], ...mark };
    const saved = await call(contract.imaging.addMark, { params: { id: String(study_id) }, body });
    onSaved?.(saved);
    await refresh(study_id);
  };
  const removing = useMutation({
    mutationFn: (mark: StudyMark) => call(contract.imaging.removeMark, at(mark)),
    onMutate: begin,
    onError: (error, _, change) => change?.fail(error),
    onSuccess: async (_, mark, change) => {
      removeDrawing(mark.id);
      await refresh(mark.study_id);
      const { study_id, series_id, index, kind, points, measured, label } = mark;
      change.done({
        text: ({ t }) => t('mark_removed', { ns: 'imaging' }),
        undo: () => add({ study_id, series_id, index, kind, points, measured, label }),
      });
    },
  });
  const setLabel = async (mark: StudyMark, label: string | null): Promise<void> => {
    await call(contract.imaging.changeMark, { ...at(mark), body: { label } });
    await refresh(mark.study_id);
  };
  const renaming = useMutation({
    mutationFn: ({ mark, label }: { mark: StudyMark; label: string | null }) => setLabel(mark, label),
    onMutate: begin,
    onError: (error, _, change) => change?.fail(error),
    onSuccess: (_, { mark }, change) =>
      change.done({
        text: ({ t }) => t('mark_renamed', { ns: 'imaging' }),
        undo: () => setLabel(mark, mark.label),
      }),
  });
  return {
    add: (mark: NewMark, onSaved?: (saved: StudyMark) => void) => add(mark, onSaved).catch(showError),
    remove: (mark: StudyMark) => removing.mutate(mark),
    rename: (mark: StudyMark, label: string | null) => renaming.mutate({ mark, label }),
    async move(study: number, id: number, { points, measured }: DrawnMark): Promise<void> {
      const params = { id: String(study), mark_id: String(id) };
      await call(contract.imaging.changeMark, { params, body: { points, measured } }).catch(showError);
      await refresh(study);
    },
  };
}

/** Saves what is drawn and moved; others may only look, and their drawings last as long as the page. */
function useSavedDrawings(mayChange: boolean, saving: Saving): void {
  const latest = useRef({ mayChange, saving });
  latest.current = { mayChange, saving };
  useEffect(
    () =>
      watchDrawings((drawn, savedAs) => {
        const { mayChange, saving } = latest.current;
        // A plane depends on how the volume was cut, so that its measurements have no lasting place.
        if (!mayChange || isCut(drawn.imageId)) return;
        const { study, series, index } = placeOf(drawn.imageId);
        if (savedAs !== null) return void saving.move(study, savedAs, drawn);
        const { kind, points, measured } = drawn;
        // Named before the list is fetched again, so that it is not drawn twice.
        void saving.add({ study_id: study, series_id: series, index, kind, points, measured }, ({ id }) =>
          nameDrawing(drawn.uid, id),
        );
      }),
    [],
  );
}
