import { TRASH_DAYS } from '../../../src-shared/contract/trash.ts';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameType } from '../../../src-shared/contract/names.ts';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { contract } from '../../client/api.ts';
import { useEntryName, type NamedEntry } from '../../client/entry-name.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { useMerges } from './queries.ts';

interface Props {
  type: NameType;
  mayEdit: boolean;
  onUndo: (mergeId: number) => void;
}

/** Recent merges that can still be undone, each with an undo button. */
export function MergeHistory({ type, mayEdit, onUndo }: Props) {
  const { t } = useTranslation('names');
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={t('history')}
      isWide
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" glyph={History}>
          {t('history')}
        </Button>
      }
    >
      <MergeList
        type={type}
        enabled={open}
        mayEdit={mayEdit}
        onUndo={(mergeId) => {
          setOpen(false);
          onUndo(mergeId);
        }}
      />
    </Popover>
  );
}

type Merge = Reply<typeof contract.names.merges>['items'][number];

const targetOf = ({ target_display, target_names }: Merge): NamedEntry => ({
  canonical_display: target_display,
  names: target_names,
});
const sourcesOf = ({ source_displays, source_names }: Merge): NamedEntry[] =>
  source_displays.map((canonical_display, index) => ({ canonical_display, names: source_names[index] ?? null }));

function MergeList({ type, enabled, mayEdit, onUndo }: Props & { enabled: boolean }) {
  const { t } = useTranslation(['names', 'app']);
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const nameOf = useEntryName();
  const { data: merges, error } = useMerges(type, enabled);
  if (error) return <ErrorState message={vocabulary.error(error)} />;
  if (!merges) return <SkeletonLines count={3} label={t('loading')} />;
  if (merges.length === 0) return <p className="cap merge-none">{t('history_empty', { days: TRASH_DAYS })}</p>;
  return (
    <ul className="merge-history">
      {merges.map((merge) => (
        <li key={merge.merge_id}>
          <span className="merge-line">
            {t('history_item', { sources: sourcesOf(merge).map(nameOf).join(', '), target: nameOf(targetOf(merge)) })}
          </span>
          <span className="cap num">
            {formats.moment(merge.created_at)}
            {merge.undone_at !== null && ` · ${t('history_undone')}`}
          </span>
          {mayEdit && merge.can_undo && (
            <Button size="small" onClick={() => onUndo(merge.merge_id)}>
              {t('app:action.undo')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
