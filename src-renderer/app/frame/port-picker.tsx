import { useTranslation } from 'react-i18next';
import type { ListedPort } from '../../../src-shared/contract/bridge.ts';
import { askShell } from '../../client/shell-bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

const choose = (id: string | null): void => void askShell('choosePort', { id }).catch(() => {});

/** Lets the user select a serial port in the desktop window, which has no picker of its own. */
export function PortPicker({ ports }: { ports: readonly ListedPort[] | null }) {
  const { t } = useTranslation();
  return (
    <Dialog open={ports !== null} onOpenChange={(open) => !open && choose(null)} title={t('ports.title')}>
      {ports?.length === 0 && <p role="status">{t('ports.none')}</p>}
      <ul className="stack">
        {ports?.map(({ id, name, vendor, product }) => (
          <li key={id} className="row">
            <span className="truncate">{name}</span>
            {vendor && <span className="cap mono">{`${vendor}:${product ?? '----'}`}</span>}
            <Button size="small" className="push" onClick={() => choose(id)} aria-label={t('ports.use', { name })}>
              {t('ports.connect')}
            </Button>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onClick={() => choose(null)}>{t('action.cancel')}</Button>
      </div>
    </Dialog>
  );
}
