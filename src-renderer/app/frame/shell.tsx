import { Outlet, useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LiveRegion, useAnnounce } from '../../ui/live-region.tsx';
import { ToastProvider } from '../../ui/toasts.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useLive } from '../../client/live.ts';
import { useMayEdit, usePatients } from '../../client/session.tsx';
import { useShortcuts } from '../../client/shortcuts.ts';
import { remember, remembered } from '../../client/storage.ts';
import { DESTINATIONS } from './destinations.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { TopBar } from './top-bar.tsx';
import { UploadList } from './upload-list.tsx';
import { UploadProvider, useUploads, useWindowDrop } from './uploads.tsx';
import { usePipelineStatus } from '../../client/overview.ts';

/** The frame around every page: rail, top bar, palette, messages, uploads. */
export function Shell() {
  const { t } = useTranslation();
  return (
    <TooltipProvider>
      <LiveRegion>
        <ToastProvider labels={{ undo: t('action.undo'), dismiss: t('action.dismiss'), region: t('toast.region') }}>
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
  const navigate = useNavigate();
  const live = useLive();
  const status = usePipelineStatus(live).data;
  const mayEdit = useMayEdit();
  const announce = useAnnounce();
  const { stage: stageOf } = useVocabulary();
  const job = status?.current_job;
  const announcement = job ? t('pipeline.progress', { name: job.filename, stage: stageOf(job.stage) }) : '';
  useEffect(() => announce(announcement), [announce, announcement]);
  const patients = usePatients();
  const { add } = useUploads();
  const patient = useSearch({ strict: false }).patient;
  const only = patients.length === 1 ? String(patients[0]?.id) : undefined;
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [palette, setPalette] = useState(false);
  const [keys, setKeys] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const [collapsed, setCollapsed] = useState(remembered('rail') === 'small');
  const picker = useRef<HTMLInputElement>(null);
  const target = patient ?? only;
  const dropping = useWindowDrop((files) => {
    if (mayEdit) add(files, target);
  });
  const pick = (): void => picker.current?.click();

  useShortcuts({
    'mod k': () => setPalette(true),
    '/': () => setPalette(true),
    '?': () => setKeys(true),
    u: () => {
      if (mayEdit) pick();
    },
    ...Object.fromEntries(DESTINATIONS.map(({ key, to }) => [`g ${key}`, () => void navigate({ to })])),
  });
  const toggleRail = (): void => {
    remember('rail', collapsed ? 'wide' : 'small');
    setCollapsed(!collapsed);
  };
  const name = patients.find((candidate) => String(candidate.id) === target)?.display_name;
  return (
    <div className="app" data-collapsed={collapsed || undefined} data-drawer={drawer || undefined}>
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <Rail collapsed={collapsed && !drawer} onCollapse={toggleRail} onNavigate={() => setDrawer(false)} />
      {drawer && (
        <button type="button" className="drawer-scrim" aria-label={t('nav.close')} onClick={() => setDrawer(false)} />
      )}
      <div className="main">
        <TopBar
          path={path}
          status={status}
          live={live}
          onMenu={() => setDrawer(true)}
          onSearch={() => setPalette(true)}
        />
        <main id="content" className="content" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-testid="picker"
        onChange={(event) => {
          add([...(event.target.files ?? [])], target);
          event.target.value = '';
        }}
      />
      <Palette open={palette} onOpenChange={setPalette} onUpload={pick} onKeys={() => setKeys(true)} />
      <ShortcutsDialog open={keys} onOpenChange={setKeys} />
      <UploadList />
      {dropping && mayEdit && (
        <div className="drop-veil" aria-hidden="true">
          <span>{name ? t('upload.drop', { name }) : t('upload.drop_any')}</span>
        </div>
      )}
    </div>
  );
}
