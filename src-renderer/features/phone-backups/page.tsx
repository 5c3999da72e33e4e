import { useNavigate } from '@tanstack/react-router';
import { FolderOpen, RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import { DeviceCard } from './device-card.tsx';
import { FolderHelp } from './folder-help.tsx';
import { useServiceBackups, useRefresh, useShellFolders } from './queries.ts';
import { deviceOfDiscovered, deviceOfSummary } from './source/devices.ts';
import { useOpenBackups } from './source/open-backups.ts';
import { selectInDialog, revealFolder } from './source/places.ts';
import type { Device } from './source/source.ts';
import { usePhoneLabels } from './labels.ts';
import './phone-backups.css';

/** Backups of phones: those that the service found, and those in a folder that the user selects. */
export default function PhoneBackupsPage() {
  const labels = usePhoneLabels();
  const { t } = labels;
  const navigate = useNavigate();
  const { backups, selected, inShell, open } = useOpenBackups();
  const service = useServiceBackups(),
    shell = useShellFolders();
  const refresh = useRefresh();
  const [failure, setFailure] = useState<unknown>(null);
  const [isLooking, setLooking] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const look = async (place: Parameters<typeof backups.select>[0]): Promise<void> => {
    setFailure(null);
    setLooking(true);
    try {
      setEmpty((await backups.select(place)).length === 0);
    } catch (error) {
      setFailure(error);
    } finally {
      setLooking(false);
    }
  };
  const choose = async (): Promise<void> => {
    const place = await selectInDialog().catch((error: unknown) => {
      setFailure(error);
      return null;
    });
    if (place !== 'unavailable') return place === null ? undefined : look(place);
    if (!('showDirectoryPicker' in globalThis)) return input.current?.click();
    const handle = await window.showDirectoryPicker({ id: 'phone-backups', mode: 'read' }).catch((error: unknown) => {
      // Closing the picker is a choice, not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailure(error);
      return null;
    });
    if (handle) await look({ kind: 'handle', handle });
  };
  const fromService = (service.data?.backups ?? []).map(deviceOfSummary),
    direct = selected.map(deviceOfDiscovered);
  // A backup of the same name in the chosen folder is the one that this page would open.
  const isReadable = ({ id }: Device): boolean =>
    inShell.some((each) => each.id === id && each.failure === null) && !selected.some((each) => each.id === id);
  const keyOf = ({ id }: Device): string | undefined => shell.data?.find((folder) => folder.id === id)?.key;
  const isOpenIn = (device: Device, kind: 'service' | 'direct'): boolean =>
    open?.device.id === device.id && (open.kind === kind || isReadable(device));
  const go = (device: Device, from: 'service' | 'direct') =>
    void navigate({ to: '/phones/$id', params: { id: device.id }, search: (before) => ({ ...before, from }) });
  return (
    <div className="page phones-page">
      <div className="page-head">
        <h1>{t('title')}</h1>
        <span className="push">
          <Button glyph={RotateCw} disabled={refresh.isPending} onClick={() => refresh.mutate()}>
            {refresh.isPending ? t('looking') : t('refresh')}
          </Button>
          <Button variant="primary" glyph={FolderOpen} onClick={() => void choose()}>
            {t('choose')}
          </Button>
          {/* Browsers without the picker hand over the list of all files. */}
          <input
            ref={input}
            type="file"
            hidden
            multiple
            data-testid="backup-folder"
            {...{ webkitdirectory: '' }}
            onChange={(event) => {
              void look({ kind: 'files', files: [...(event.target.files ?? [])] });
              event.target.value = '';
            }}
          />
        </span>
      </div>
      <p className="muted phones-intro">{t('intro')}</p>
      {failure !== null && (
        <ErrorState message={labels.error(failure)} retryLabel={t('choose')} onRetry={() => void choose()} />
      )}
      {isEmpty && !isLooking && <Notice tone="warn">{t('none_in_folder')}</Notice>}
      {(direct.length > 0 || isLooking) && (
        <section aria-label={t('chosen_folder')} className="stack">
          <h2>{t('chosen_folder')}</h2>
          <p className="cap">{t('chosen_text')}</p>
          {isLooking ? (
            <CardSkeletons label={t('looking')} />
          ) : (
            <div className="phone-cards">
              {direct.map((device) => (
                <DeviceCard
                  key={device.id}
                  device={device}
                  labels={labels}
                  isOpen={isOpenIn(device, 'direct')}
                  onOpen={() => go(device, 'direct')}
                />
              ))}
            </div>
          )}
        </section>
      )}
      <section aria-label={t('on_this_computer')} className="stack">
        <h2>{t('on_this_computer')}</h2>
        {service.isLoading && <CardSkeletons label={t('looking')} />}
        {service.error && (
          <ErrorState
            message={labels.error(service.error)}
            retryLabel={t('retry')}
            onRetry={() => void service.refetch()}
          />
        )}
        {refresh.error && (
          <ErrorState message={labels.error(refresh.error)} retryLabel={t('retry')} onRetry={() => refresh.mutate()} />
        )}
        {fromService.some(isReadable) && <p className="cap">{t('here_text')}</p>}
        {fromService.length > 0 && (
          <div className="phone-cards">
            {fromService.map((device) => {
              const key = keyOf(device),
                isOpen = isOpenIn(device, 'service');
              return (
                <DeviceCard
                  key={device.id}
                  device={device}
                  labels={labels}
                  isOpen={isOpen}
                  onOpen={() => go(device, isOpen && open ? open.kind : 'service')}
                  {...(isReadable(device) && { onOpenHere: () => go(device, 'direct') })}
                  {...(key !== undefined && { onReveal: () => void revealFolder(key).catch(setFailure) })}
                />
              );
            })}
          </div>
        )}
        {service.data && (
          <FolderHelp
            state={service.data.folder_state}
            folder={service.data.base_directory}
            isEmpty={fromService.length === 0}
            labels={labels}
            onChoose={() => void choose()}
          />
        )}
      </section>
    </div>
  );
}

const CardSkeletons = ({ label }: { label: string }) => (
  <div className="phone-cards" role="status">
    <span className="sr-only">{label}</span>
    {[0, 1].map((card) => (
      <div key={card} className="panel phone-card">
        <Skeleton width={44} height={72} />
        <span className="stack">
          <Skeleton width={140} />
          <Skeleton width={90} />
          <Skeleton width={110} />
        </span>
      </div>
    ))}
  </div>
);
