import { Link, useParams, useSearch } from '@tanstack/react-router';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Browse } from './browse.tsx';
import { useServiceBackups, useShellFolders } from './queries.ts';
import { useOpenBackups } from './source/open-backups.ts';
import { deviceOfDiscovered, deviceOfSummary } from './source/devices.ts';
import { UnlockForm } from './unlock-form.tsx';
import { usePhoneLabels } from './labels.ts';
import './phone-backups.css';

/** One backup: the password form, then its content. */
export default function DevicePage() {
  const labels = usePhoneLabels();
  const { t } = labels;
  const { id } = useParams({ from: '/frame/phones/$id' });
  const { from = 'service' } = useSearch({ from: '/frame/phones/$id' });
  const { selected, inShell, open, lockedBy } = useOpenBackups();
  const kind = from === 'direct' ? 'direct' : 'service';
  const service = useServiceBackups(kind === 'service'),
    shell = useShellFolders();
  const direct = [...selected, ...inShell].find((each) => each.id === id),
    summary = service.data?.backups.find((each) => each.id === id);
  if (open && open.kind === kind && open.device.id === id)
    return <Browse key={`${kind} ${id}`} source={open} labels={labels} />;
  const device = kind === 'direct' ? direct && deviceOfDiscovered(direct) : summary && deviceOfSummary(summary);
  if (device)
    return (
      <div className="page">
        <UnlockForm device={device} from={kind} lockedBy={lockedBy} labels={labels} />
      </div>
    );
  const serviceText = service.error ? labels.error(service.error) : t('unknown_text');
  if (kind === 'service' ? service.isLoading : shell.isLoading) return <div className="page" aria-busy="true" />;
  return (
    <div className="page">
      <EmptyState
        title={kind === 'direct' ? t('folder_forgotten') : t('unknown')}
        actions={
          <Link to="/phones" className={buttonClass({ variant: 'primary' })}>
            {t('to_list')}
          </Link>
        }
      >
        {kind === 'direct' ? t('folder_forgotten_text') : serviceText}
      </EmptyState>
    </div>
  );
}
