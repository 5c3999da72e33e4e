import type { MenuLabels } from '../../../src-shared/contract/menu-labels.ts';
import type { Activity } from '../shell-api.ts';
import { fillText } from './fill-text.ts';

/** What a notification says, and the page that it opens. */
export interface Note {
  text: string;
  path: string;
}

export interface Notifier {
  /** Returns what to tell after a change. `null` when nobody is signed in: what happens then is not told later. */
  follow(activity: Activity | null): Note[];
}

const isBusy = ({ waiting, isReading }: Activity): boolean => waiting > 0 || isReading;

/**
 * Tells when reading has finished, when more documents need a review, and when a share was opened. Numbers only: a
 * notification is seen by whoever sees the screen.
 */
export function createNotifier(texts: () => MenuLabels['shell']): Notifier {
  let last: Activity | null = null;
  /** The counts when reading began. */
  let begin: Activity | null = null;
  return {
    follow(activity) {
      const before = last;
      last = activity;
      if (activity === null || before === null) {
        begin = activity && isBusy(activity) ? activity : null;
        return [];
      }
      const notes: Note[] = [];
      if (activity.openings > before.openings) notes.push({ text: texts().note_opened, path: '/shares' });
      if (isBusy(activity)) begin ??= before;
      else if (begin !== null && !activity.isStopped) {
        notes.push(...endNotes(texts(), begin, activity));
        begin = null;
      }
      return notes;
    },
  };
}

function endNotes(texts: MenuLabels['shell'], begin: Activity, end: Activity): Note[] {
  const read = end.ended - begin.ended;
  const review = end.toReview - begin.toReview;
  if (review > 0) return [{ text: fillText(texts.note_review, { count: review }), path: '/review' }];
  return read > 0 ? [{ text: fillText(texts.note_finished, { count: read }), path: '/documents' }] : [];
}
