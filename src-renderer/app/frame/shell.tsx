import { Outlet, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { LiveRegion } from '../../ui/live-region.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { LockDialog } from '../../client/lock-dialog.tsx';
import { useLive } from '../../client/live.ts';
import { usePresence } from '../../client/presence.ts';
import { useMayEdit, usePatients, useSignOut } from '../../client/session.tsx';
import { useShortcuts } from '../../client/shortcuts.ts';
import { storePreference, readPreference } from '../../client/storage.ts';
import { toggleTheme } from '../../client/theme.ts';
import { ToastProvider, useToasts } from '../../client/toasts.tsx';
import type { ListedPort } from '../../../src-shared/contract/bridge.ts';
import { COMMANDS, type CommandName } from '../../../src-shared/contract/commands.ts';
import { DESTINATIONS } from './destinations.ts';
import { PortPicker } from './port-picker.tsx';
import { useShellSignals } from './use-shell-signals.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { SampleBanner } from './sample-banner.tsx';
import { TopBar } from './top-bar.tsx';
import { focusTrashQuestion } from './trashed-copies.tsx';
import { UploadList } from './upload-list.tsx';
import { DiscDialog, useDiscs } from './disc-dialog.tsx';
import { UploadProvider } from './uploads.tsx';
import { toChosenFiles, useWindowDrop } from './window-drop.ts';
import { usePipelineStatus } from '../../client/overview.ts';
import { useProgressAnnouncements } from './use-progress-announcements.ts';

/** The frame around every page: rail, top bar, palette, messages, uploads. */
export function Shell() {
  return (
    <TooltipProvider>
      <LiveRegion>
        <ToastProvider>
          <UploadProvider>
            <Frame />
          </UploadProvider>
        </ToastProvider>
      </LiveRegion>
    </TooltipProvider>
  );
}

function Frame() {
  const { t } = useTranslation();
  usePresence();
  const live = useLive();
  const status = usePipelineStatus(live).data;
  useProgressAnnouncements(status);
  const mayEdit = useMayEdit();
  const { offer, ...disc } = useDiscs();
  const target = useTargetPatient();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [palette, setPalette] = useState(false);
  const [keys, setKeys] = useState(false);
  const [isLocking, setLocking] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const [collapsed, toggleRail] = useCollapsedRail();
  const picker = useRef<HTMLInputElement>(null);
  const addFiles = (files: readonly File[]): void => offer(toChosenFiles(files), target?.id);
  const isDropping = useWindowDrop((files) => {
    if (mayEdit) offer(files, target?.id);
  });
  const openPicker = (): void => picker.current?.click();
  const openPalette = (): void => setPalette(true);
  const openKeys = (): void => setKeys(true);
  const signOut = useSignOut();
  const [ports, setPorts] = useState<readonly ListedPort[] | null>(null);
  const commands: Record<CommandName, () => void> = {
    upload: mayEdit ? openPicker : () => {},
    palette: openPalette,
    theme: toggleTheme,
    keys: openKeys,
    lock: () => setLocking(true),
    signout: () => void signOut(),
  };
  useFrameShortcuts(commands);
  useShellSignals({ commands, addFiles: mayEdit ? addFiles : null, showPorts: setPorts });
  return (
    <div className="app" data-collapsed={collapsed || undefined} data-drawer={drawer || undefined}>
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <Rail isCollapsed={collapsed && !drawer} onCollapse={toggleRail} onNavigate={() => setDrawer(false)} />
      {drawer && (
        <button type="button" className="drawer-scrim" aria-label={t('nav.close')} onClick={() => setDrawer(false)} />
      )}
      <div className="main">
        <SampleBanner />
        <TopBar path={path} status={status} isLive={live} onMenu={() => setDrawer(true)} onSearch={openPalette} />
        <main id="content" className="content" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <FilePicker input={picker} onFiles={addFiles} />
      <Palette open={palette} onOpenChange={setPalette} commands={commands} />
      <ShortcutsDialog open={keys} onOpenChange={setKeys} />
      <LockDialog open={isLocking} onOpenChange={setLocking} />
      <UploadList />
      <DiscDialog {...disc} />
      <PortPicker ports={ports} />
      {isDropping && mayEdit && <DropVeil name={target?.name} />}
    </div>
  );
}

/** The patient who receives uploads: the selected one, or the only one. */
function useTargetPatient(): { id: string; name: string | undefined } | undefined {
  const patients = usePatients();
  const selected = useSearch({ strict: false }).patient;
  const id = selected ?? (patients.length === 1 ? String(patients[0]?.id) : undefined);
  if (id === undefined) return undefined;
  return { id, name: patients.find((patient) => String(patient.id) === id)?.display_name };
}

function useCollapsedRail(): [boolean, () => void] {
  const [collapsed, setCollapsed] = useState(readPreference('rail') === 'small');
  const toggle = (): void => {
    storePreference('rail', collapsed ? 'wide' : 'small');
    setCollapsed(!collapsed);
  };
  return [collapsed, toggle];
}

/** Shortcuts of every page: those of the commands and pages, and a few of the frame. */
function useFrameShortcuts(commands: Readonly<Record<CommandName, () => void>>): void {
  const navigate = useNavigate();
  const { undoLast } = useToasts();
  const ofCommands = COMMANDS.flatMap(({ name, key }) => (key === null ? [] : [[key, commands[name]] as const]));
  useShortcuts({
    ...Object.fromEntries(ofCommands),
    '/': commands.palette,
    q: focusTrashQuestion,
    'mod z': undoLast,
    'g r': () => void navigate({ to: '/review' }),
    ...Object.fromEntries(DESTINATIONS.map(({ key, to }) => [`g ${key}`, () => void navigate({ to })])),
  });
}

const FilePicker = ({
  input,
  onFiles,
}: {
  input: RefObject<HTMLInputElement | null>;
  onFiles: (files: readonly File[]) => void;
}) => (
  <input
    ref={input}
    type="file"
    multiple
    hidden
    data-testid="picker"
    onChange={(event) => {
      onFiles([...(event.target.files ?? [])]);
      event.target.value = '';
    }}
  />
);

function DropVeil({ name }: { name: string | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="drop-veil" aria-hidden="true">
      <span>{name ? t('upload.drop', { name }) : t('upload.drop_any')}</span>
    </div>
  );
}
