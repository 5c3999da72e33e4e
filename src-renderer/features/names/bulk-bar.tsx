import { Check, Merge, Trash2, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { NameRow } from '../../../src-shared/contract/names.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import type { NameActions } from './use-actions.ts';

interface Props {
  entries: readonly NameRow[];
  actions: NameActions;
  isMerging: boolean;
  onMerging: (open: boolean) => void;
  onDone: () => void;
}

/** The actions on the selected names. */
export function BulkBar({ entries, actions, isMerging, onMerging, onDone }: Props) {
  const { t } = useTranslation('names');
  const unreviewed = entries.some(({ unreviewed_count }) => unreviewed_count > 0);
  return (
    <>
      <div className="bulk-bar" role="toolbar" aria-label={t('actions')}>
        <strong className="num">{t('selected', { count: entries.length })}</strong>
        {entries.length > 1 && (
          <Button size="small" glyph={Merge} disabled={actions.busy} onClick={() => onMerging(true)}>
            {t('merge')}
          </Button>
        )}
        {unreviewed && (
          <Button
            size="small"
            glyph={Check}
            disabled={actions.busy}
            onClick={() => {
              onDone();
              void actions.confirm(entries);
            }}
          >
            {t('confirm')}
          </Button>
        )}
        <Button
          size="small"
          glyph={Trash2}
          disabled={actions.busy}
          onClick={() => {
            onDone();
            void actions.remove(entries);
          }}
        >
          {t('remove')}
        </Button>
        <IconButton size="small" glyph={X} label={t('clear')} onClick={onDone} />
      </div>
      {isMerging && entries.length > 1 && (
        <MergeDialog
          entries={entries}
          isBusy={actions.busy}
          onClose={() => onMerging(false)}
          onMerge={(sources, into) =>
            void actions.merge(sources, into).then((done) => {
              if (done) onDone();
            })
          }
        />
      )}
    </>
  );
}
