import { Undo2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { useUndoHistory } from '../../client/toasts.tsx';
import { useWords } from '../../client/words.ts';
import './undo-history.css';

/** What can still be undone, the last first. */
export function UndoHistory() {
  const words = useWords();
  const { t } = words;
  const history = useUndoHistory();
  return (
    <Popover
      isWide
      align="end"
      label={t('undo.title')}
      trigger={
        <IconButton glyph={Undo2} label={t('undo.title')} className="undo-button" data-empty={!history.length} />
      }
    >
      <div className="activity">
        <h2>{t('undo.title')}</h2>
        {history.length === 0 && <p className="cap">{t('undo.nothing_yet')}</p>}
        {history.length > 0 && (
          <ul className="undo-list">
            {history.map((item) => (
              <li key={item.id} className="row">
                <span>{item.text(words)}</span>
                <Button size="small" className="push" onClick={item.undo}>
                  {t('action.undo')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Popover>
  );
}
