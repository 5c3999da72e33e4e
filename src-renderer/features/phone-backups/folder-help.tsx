import { Button } from '../../ui/button.tsx';
import { EmptyState, Notice } from '../../ui/states.tsx';
import type { PhoneLabels } from './labels.ts';

/** Explains what to do when the backup folder can't be read, doesn't exist, or contains no backups. */
export function FolderHelp({
  state,
  folder,
  isEmpty,
  labels,
  onSelectFolder,
}: {
  state: 'readable' | 'absent' | 'not_permitted';
  folder: string;
  isEmpty: boolean;
  labels: PhoneLabels;
  onSelectFolder: () => void;
}) {
  const { t } = labels;
  if (state === 'not_permitted') {
    return (
      <div className="panel panel-body stack phone-help">
        <Notice tone="warn">{t('not_permitted')}</Notice>
        <ol className="phone-steps">
          <li>{t('full_disk_1')}</li>
          <li>{t('full_disk_2')}</li>
          <li>{t('full_disk_3')}</li>
        </ol>
        <p className="muted">{t('full_disk_or')}</p>
        <Button onClick={onSelectFolder}>{t('choose')}</Button>
        <p className="cap mono">{folder}</p>
      </div>
    );
  }
  if (!isEmpty) return null;
  return (
    <div className="panel phone-help">
      <EmptyState
        title={state === 'absent' ? t('absent') : t('empty')}
        actions={<Button onClick={onSelectFolder}>{t('choose')}</Button>}
      >
        {t('empty_text')}
        <ul className="phone-steps">
          <li>{t('make_mac')}</li>
          <li>{t('make_windows')}</li>
          <li>{t('make_linux')}</li>
          <li>{t('make_encrypted')}</li>
        </ul>
        {folder !== '' && (
          <span className="cap">
            {t('looked_in')} <span className="mono">{folder}</span>
          </span>
        )}
      </EmptyState>
    </div>
  );
}
