import { useNavigate } from '@tanstack/react-router';
import { FlaskConical, FolderOpen, RotateCw } from 'lucide-react';
import { useRef, useState, type RefObject } from 'react';
import type { PhoneFolder } from '../../../src-shared/contract/bridge.ts';
import { useSample } from '../../client/sample.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import { DeviceCard } from './device-card.tsx';
import { FolderHelp } from './folder-help.tsx';
import { usePhoneLabels, type PhoneLabels } from './labels.ts';
import { useRefresh, useServiceBackups, useShellFolders } from './queries.ts';
import { deviceOfDiscovered, deviceOfSummary } from './source/devices.ts';
import { useOpenBackups } from './source/open-backups.ts';
import { revealFolder, selectInDialog, type BackupLocation } from './source/backup-locations.ts';
import type { Device } from './source/source.ts';
import './phone-backups.css';

type OpenDevice = (device: Device, from: 'service' | 'direct') => void;
type Refresh = ReturnType<typeof useRefresh>;

/** Lets the user select a folder of backups and searches it. `input`: for browsers without a folder picker. */
function useFolderSelection(input: RefObject<HTMLInputElement | null>) {
  const { backups } = useOpenBackups();
  const [failure, setFailure] = useState<unknown>(null);
  const [isSearching, setSearching] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const searchIn = async (location: BackupLocation): Promise<void> => {
    setFailure(null);
    setSearching(true);
    try {
      setEmpty((await backups.select(location)).length === 0);
    } catch (error) {
      setFailure(error);
    } finally {
      setSearching(false);
    }
  };
  const selectFolder = async (): Promise<void> => {
    const location = await selectInDialog().catch((error: unknown) => {
      setFailure(error);
      return null;
    });
    if (location !== 'unavailable') return location === null ? undefined : searchIn(location);
    if (!('showDirectoryPicker' in globalThis)) return input.current?.click();
    const handle = await window.showDirectoryPicker({ id: 'phone-backups', mode: 'read' }).catch((error: unknown) => {
      // Closing the picker is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailure(error);
      return null;
    });
    if (handle) await searchIn({ kind: 'handle', handle });
  };
  return { failure, setFailure, isSearching, isEmpty, searchIn, selectFolder: (): void => void selectFolder() };
}

/** Backups of phones: those that the service found, and those in a folder that the user selects. */
export default function PhoneBackupsPage() {
  const labels = usePhoneLabels();
  const { t } = labels;
  const navigate = useNavigate();
  const refresh = useRefresh();
  const input = useRef<HTMLInputElement>(null);
  const { failure, setFailure, isSearching, isEmpty, searchIn, selectFolder } = useFolderSelection(input);
  const openDevice: OpenDevice = ({ id }, from) =>
    void navigate({ to: '/phones/$id', params: { id }, search: (before) => ({ ...before, from }) });
  return (
    <div className="page phones-page">
      <div className="page-head">
        <h1>{t('title')}</h1>
        <span className="push">
          <Button glyph={RotateCw} disabled={refresh.isPending} onClick={() => refresh.mutate()}>
            {refresh.isPending ? t('looking') : t('refresh')}
          </Button>
          <Button variant="primary" glyph={FolderOpen} onClick={selectFolder}>
            {t('choose')}
          </Button>
          {/* Browsers without the picker pass the list of all files. */}
          <input
            ref={input}
            type="file"
            hidden
            multiple
            data-testid="backup-folder"
            {...{ webkitdirectory: '' }}
            onChange={(event) => {
              void searchIn({ kind: 'files', files: [...(event.target.files ?? [])] });
              event.target.value = '';
            }}
          />
        </span>
      </div>
      <p className="muted phones-intro">{t('intro')}</p>
      <SamplePhone labels={labels} />
      {failure !== null && (
        <ErrorState message={labels.error(failure)} retryLabel={t('choose')} onRetry={selectFolder} />
      )}
      {isEmpty && !isSearching && <Notice tone="warn">{t('none_in_folder')}</Notice>}
      <SelectedFolder isSearching={isSearching} onOpen={openDevice} labels={labels} />
      <ServiceBackups
        refresh={refresh}
        onOpen={openDevice}
        onFailure={setFailure}
        onSelectFolder={selectFolder}
        labels={labels}
      />
    </div>
  );
}

/** Says how to unlock the phone of the sample household, and where it is for reading it in the page. */
function SamplePhone({ labels: { t } }: { labels: PhoneLabels }) {
  const sample = useSample()?.open;
  if (!sample) return null;
  const { phone_passphrase: passphrase, phone_folder: folder } = sample;
  return (
    <Notice tone="ok" glyph={FlaskConical}>
      {t('sample_phone', { passphrase, folder })}
    </Notice>
  );
}

interface SelectedProps {
  isSearching: boolean;
  onOpen: OpenDevice;
  labels: PhoneLabels;
}

/** The backups in the folder that the user selected. */
function SelectedFolder({ isSearching, onOpen, labels }: SelectedProps) {
  const { t } = labels;
  const { selected, open } = useOpenBackups();
  const isReadableHere = useIsReadableHere();
  const devices = selected.map(deviceOfDiscovered);
  if (devices.length === 0 && !isSearching) return null;
  return (
    <section aria-label={t('chosen_folder')} className="stack">
      <h2>{t('chosen_folder')}</h2>
      <p className="cap">{t('chosen_text')}</p>
      {isSearching ? (
        <CardSkeletons label={t('looking')} />
      ) : (
        <div className="phone-cards">
          {devices.map((device) => (
            <DeviceCard
              key={device.id}
              device={device}
              labels={labels}
              isOpen={open?.device.id === device.id && (open.kind === 'direct' || isReadableHere(device))}
              onOpen={() => onOpen(device, 'direct')}
            />
          ))}
        </div>
      )}
    </section>
  );
}

/** Whether the desktop shell lets this page read a backup itself. */
function useIsReadableHere(): (device: Device) => boolean {
  const { selected, inShell } = useOpenBackups();
  // A backup of the same name in the selected folder is the one that this page would open.
  return ({ id }) =>
    inShell.some((each) => each.id === id && each.failure === null) && !selected.some((each) => each.id === id);
}

interface ServiceProps {
  refresh: Refresh;
  onOpen: OpenDevice;
  onFailure: (error: unknown) => void;
  onSelectFolder: () => void;
  labels: PhoneLabels;
}

/** The backups that the service found, or what to do if it found none. */
function ServiceBackups({ refresh, onOpen, onFailure, onSelectFolder, labels }: ServiceProps) {
  const { t } = labels;
  const service = useServiceBackups();
  const shell = useShellFolders();
  const isReadableHere = useIsReadableHere();
  const devices = (service.data?.backups ?? []).map(deviceOfSummary);
  return (
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
      {devices.some(isReadableHere) && <p className="cap">{t('here_text')}</p>}
      {devices.length > 0 && (
        <div className="phone-cards">
          {devices.map((device) => (
            <ServiceCard
              key={device.id}
              device={device}
              folder={shell.data?.find((folder) => folder.id === device.id)}
              isReadableHere={isReadableHere(device)}
              onOpen={onOpen}
              onFailure={onFailure}
              labels={labels}
            />
          ))}
        </div>
      )}
      {service.data && (
        <FolderHelp
          state={service.data.folder_state}
          folder={service.data.base_directory}
          isEmpty={devices.length === 0}
          labels={labels}
          onSelectFolder={onSelectFolder}
        />
      )}
    </section>
  );
}

interface CardProps {
  device: Device;
  /** Its folder in the desktop shell. */
  folder: PhoneFolder | undefined;
  isReadableHere: boolean;
  onOpen: OpenDevice;
  onFailure: (error: unknown) => void;
  labels: PhoneLabels;
}

function ServiceCard({ device, folder, isReadableHere, onOpen, onFailure, labels }: CardProps) {
  const { open } = useOpenBackups();
  const isOpen = open?.device.id === device.id && (open.kind === 'service' || isReadableHere);
  return (
    <DeviceCard
      device={device}
      labels={labels}
      isOpen={isOpen}
      onOpen={() => onOpen(device, isOpen && open ? open.kind : 'service')}
      {...(isReadableHere && { onOpenHere: () => onOpen(device, 'direct') })}
      {...(folder && { onReveal: () => void revealFolder(folder.key).catch(onFailure) })}
    />
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
