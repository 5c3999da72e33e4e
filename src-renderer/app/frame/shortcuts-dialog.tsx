import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { DESTINATIONS } from './destinations.ts';

/** All keyboard shortcuts; opened by `?`. */
export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { t } = useTranslation();
  const groups = useShortcutGroups();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('keys.title')} wide>
      <div className="keys">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, text]) => (
                <div key={key} className="row">
                  <dt>{text}</dt>
                  <dd>
                    <Kbd keys={key} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="dialog-actions">
        <Button onClick={() => onOpenChange(false)}>{t('action.close')}</Button>
      </div>
    </Dialog>
  );
}

function useShortcutGroups() {
  const { t } = useTranslation();
  return [
    {
      title: t('keys.everywhere'),
      keys: [
        ['mod k', t('keys.palette')],
        ['/', t('keys.search')],
        ...DESTINATIONS.map(({ key, name }) => [`g ${key}`, t('keys.go', { page: t(`nav.${name}`) })] as const),
        ['g r', t('keys.go', { page: t('title', { ns: 'review' }) })],
        ['u', t('keys.upload')],
        ['mod z', t('keys.undo')],
        ['q', t('keys.trash_question')],
        ['?', t('keys.sheet')],
      ],
    },
    {
      title: t('keys.lists'),
      keys: [
        ['j k', t('keys.move')],
        ['x', t('keys.select')],
        ['space', t('keys.preview')],
        ['Enter', t('keys.open')],
        ['r', t('keys.reprocess')],
        ['s', t('keys.share')],
        ['Delete', t('keys.delete')],
        ['Esc', t('keys.escape')],
      ],
    },
    {
      title: t('keys.document'),
      keys: [
        ['j k', t('keys.neighbours')],
        ['e', t('keys.edit')],
        ['/', t('keys.find')],
        ['r', t('keys.reprocess')],
        ['s', t('action.share')],
        ['Delete', t('keys.delete')],
      ],
    },
    {
      title: t('nav.names'),
      keys: [
        ['e', t('keys.rename')],
        ['c', t('keys.confirm')],
        ['m', t('keys.merge')],
        ['a', t('keys.accept')],
        ['d', t('keys.apart')],
        ['n', t('keys.next_proposal')],
      ],
    },
  ] as const;
}
