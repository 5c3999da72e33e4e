import { History } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameType } from '../../../src-shared/contract/names.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { useMerges } from './queries.ts';

/** Merges of the last 30 days, each with its undo. */
export function MergeHistory({
  type,
  mayEdit,
  onUndo,
}: {
  type: NameType;
  mayEdit: boolean;
  onUndo: (mergeId: number) => void;
}) {
  const { t } = useTranslation(['names', 'app']);
  const words = useVocabulary();
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  const merges = useMerges(type, open);
  return (
    <Popover
      label={t('history')}
      wide
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" glyph={History}>
          {t('history')}
        </Button>
      }
    >
      {merges.isError ? (
        <ErrorState message={words.error(merges.error)} />
      ) : !merges.data ? (
        <SkeletonLines count={3} label={t('loading')} />
      ) : merges.data.length === 0 ? (
        <p className="cap merge-none">{t('history_empty')}</p>
      ) : (
        <ul className="merge-history">
          {merges.data.map((merge) => (
            <li key={merge.merge_id}>
              <span className="merge-line">
                {t('history_item', { sources: merge.source_displays.join(', '), target: merge.target_display })}
              </span>
              <span className="cap num">
                {formats.moment(merge.created_at)}
                {merge.undone_at !== null && ` · ${t('history_undone')}`}
              </span>
              {mayEdit && merge.can_undo && (
                <Button
                  size="small"
                  onClick={() => {
                    setOpen(false);
                    onUndo(merge.merge_id);
                  }}
                >
                  {t('app:action.undo')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}
