import type { IndexJob } from '../../../src-shared/contract/phone-backups/service.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Lock, Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, type ComponentType, type FormEvent } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { IconButton } from '../../ui/icon-button.tsx';
import { Input } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SkeletonLines } from '../../ui/states.tsx';
import { ArtifactRail } from './artifact-rail.tsx';
import { PreviewProvider } from './preview/preview-dialog.tsx';
import { ImageCacheProvider } from './preview/use-image-url.tsx';
import { useIndexState } from './queries.ts';
import { ReadingBar } from './reading-bar.tsx';
import { PHONE_KEY, useOpenBackups } from './source/open-backups.ts';
import type { BackupSource } from './source/source.ts';
import { VIEWS, type ViewName } from './views.ts';
import type { ViewProps } from './views/view-props.ts';
import './browse.css';

/** The code of a view is loaded when it is opened. */
const PAGES: Record<ViewName | 'search', ComponentType<ViewProps>> = {
  messages: lazy(() => import('./views/conversations.tsx').then(({ MessagesView }) => ({ default: MessagesView }))),
  whatsapp: lazy(() => import('./views/conversations.tsx').then(({ WhatsAppView }) => ({ default: WhatsAppView }))),
  photos: lazy(() => import('./views/photos.tsx')),
  notes: lazy(() => import('./views/notes.tsx')),
  contacts: lazy(() => import('./views/contacts.tsx')),
  calendar: lazy(() => import('./views/calendar.tsx')),
  reminders: lazy(() => import('./views/reminders.tsx')),
  calls: lazy(() => import('./views/calls.tsx')),
  safari: lazy(() => import('./views/safari.tsx')),
  voicemail: lazy(() => import('./views/voicemail.tsx')),
  recordings: lazy(() => import('./views/recordings.tsx')),
  health: lazy(() => import('./views/health.tsx')),
  medications: lazy(() => import('./views/medications.tsx')),
  records: lazy(() => import('./views/records.tsx')),
  apps: lazy(() => import('./views/apps.tsx')),
  accounts: lazy(() => import('./views/accounts.tsx')),
  about: lazy(() => import('./views/about.tsx')),
  medical: lazy(() => import('./views/medical.tsx')),
  files: lazy(() => import('./views/files.tsx')),
  search: lazy(() => import('./views/search.tsx')),
};

/** Queries whose results do not depend on the artifacts that were read. */
const INDEPENDENT_QUERIES = ['indexState', 'domains', 'files', 'head', 'bytes'];

/**
 * Follows the reading of the artifacts: starts it on a page that reads directly, and refetches lists as they are read.
 */
function useIndexJob(source: BackupSource): IndexJob | undefined {
  const client = useQueryClient();
  const job = useIndexState(source).data;
  // A page that reads directly does not store its index, so each visit reads again; the service waits for a request.
  const startsItself = source.kind === 'direct' && job?.status === 'idle';
  useEffect(() => {
    if (startsItself)
      void source
        .query('index', {})
        .then((next) => client.setQueryData([PHONE_KEY, source.device.id, 'indexState'], next));
  }, [startsItself, source, client]);
  // Queries for artifacts that were not read yet returned empty results.
  const doneArtifacts =
    job?.artifacts
      .filter(({ status }) => status === 'done')
      .map(({ artifact }) => artifact)
      .join() ?? '';
  useEffect(() => {
    if (source.kind === 'service' && doneArtifacts !== '')
      void client.invalidateQueries({
        queryKey: [PHONE_KEY, source.device.id],
        predicate: ({ queryKey }) => !INDEPENDENT_QUERIES.includes(String(queryKey[2])),
      });
  }, [source, client, doneArtifacts]);
  return job;
}

/**
 * Whether the index has no rows of a view yet, so that its list would look as if the backup held none. A search needs
 * any rows.
 */
function isNotIndexed({ artifacts }: IndexJob, view: ViewName | 'search'): boolean {
  const hasRows = ({ status, rows }: IndexJob['artifacts'][number]): boolean =>
    rows > 0 || status === 'done' || status === 'absent' || status === 'failed';
  if (view === 'search') return !artifacts.some(hasRows);
  const artifact = VIEWS.find(({ name }) => name === view)?.artifact;
  return artifact !== null && !artifacts.some((progress) => progress.artifact === artifact && hasRows(progress));
}

/** An open backup: its artifacts with counts, search over all of them, and one of them. */
export function Browse({ source, labels }: ViewProps) {
  const { t } = labels;
  const search = useSearch({ from: '/frame/phones/$id' });
  const job = useIndexJob(source);
  const view: ViewName | 'search' =
    search.q !== undefined ? 'search' : (VIEWS.find(({ name }) => name === search.view)?.name ?? 'messages');
  const View = PAGES[view];
  const isUnread = source.kind === 'service' && job !== undefined && isNotIndexed(job, view);
  const reading = <ReadingBar source={source} job={job} labels={labels} />;
  return (
    <div className="phone-browse">
      <aside className="phone-side">
        <DeviceHead source={source} labels={labels} />
        <SearchForm source={source} labels={labels} />
        <ArtifactRail source={source} view={view} job={job} labels={labels} />
        {!isUnread && reading}
      </aside>
      <section
        className="phone-main"
        aria-label={t('contents_of', { name: view === 'search' ? t('search_all') : t(`view.${view}`) })}
      >
        {isUnread ? (
          <div className="phone-unread">{reading}</div>
        ) : (
          <ImageCacheProvider source={source}>
            <PreviewProvider key={view} source={source} labels={labels}>
              <Suspense fallback={<SkeletonLines count={10} label={t('loading')} />}>
                <View key={view} source={source} labels={labels} />
              </Suspense>
            </PreviewProvider>
          </ImageCacheProvider>
        )}
      </section>
    </div>
  );
}

function DeviceHead({ source: { device }, labels }: ViewProps) {
  const { t } = labels;
  const { backups } = useOpenBackups();
  return (
    <div className="phone-side-head">
      <div className="phone-card-words">
        <h1 className="truncate">{device.name ?? t('unnamed')}</h1>
        <span className="cap truncate">
          {[device.model, labels.day(device.backedUpAt)].filter(Boolean).join(' · ')}
        </span>
      </div>
      <IconButton glyph={Lock} label={t('lock')} onClick={() => void backups.lock()} />
    </div>
  );
}

function SearchForm({ source, labels: { t } }: ViewProps) {
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/phones/$id' });
  const [text, setText] = useState(search.q ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({
      to: '/phones/$id',
      params: { id: source.device.id },
      search: (before) => ({ ...before, q: text.trim() === '' ? undefined : text.trim(), item: undefined }),
    });
  };
  return (
    <form className="phone-search" role="search" onSubmit={submit}>
      <Icon glyph={Search} size={14} />
      <Input
        type="search"
        aria-label={t('search_all')}
        placeholder={t('search_all')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}
