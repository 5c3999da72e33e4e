import { Menu as MenuGlyph, Moon, Search, Sun } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { PipelineStatus } from '../../../src-shared/contract/pipeline.ts';
import { TOP_BAR } from '../../ui/top-bar-places.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { usePageTitle } from '../../client/page-title.ts';
import { useTheme } from '../../client/theme.ts';
import { destinationOf } from './destinations.ts';
import { PipelineChip } from './pipeline-chip.tsx';
import { UndoHistory } from './undo-history.tsx';

/** Breadcrumbs, search, pipeline state, undo history and theme. */
export function TopBar({
  path,
  status,
  isLive,
  onMenu,
  onSearch,
}: {
  path: string;
  status: PipelineStatus | undefined;
  isLive: boolean;
  onMenu: () => void;
  onSearch: () => void;
}) {
  const { t } = useTranslation();
  const { setTheme } = useTheme();
  const hasOwnSearch = path === '/documents';
  const dark = document.documentElement.dataset['theme'] === 'dark';
  return (
    <header className="top">
      <span className="only-narrow">
        <IconButton glyph={MenuGlyph} label={t('nav.open')} onClick={onMenu} />
      </span>
      <Crumbs path={path} />
      <span id={TOP_BAR.tools} />
      <button type="button" className={`search-button ${hasOwnSearch ? 'is-short' : ''}`} onClick={onSearch}>
        <Icon glyph={Search} />
        <span className={hasOwnSearch ? 'sr-only' : 'truncate'}>{t('search.placeholder')}</span>
        <Kbd keys="mod k" />
      </button>
      <PipelineChip status={status} live={isLive} />
      <UndoHistory />
      <IconButton
        glyph={dark ? Sun : Moon}
        label={dark ? t('theme.to_light') : t('theme.to_dark')}
        onClick={() => setTheme(dark ? 'light' : 'dark')}
      />
    </header>
  );
}

function Crumbs({ path }: { path: string }) {
  const { t } = useTranslation();
  const destination = destinationOf(path);
  const page = destination ? t(`nav.${destination.name}`) : t('missing.title');
  usePageTitle(path === '/review' ? t('title', { ns: 'review' }) : page);
  const deeper = destination !== undefined && path !== destination.to;
  return (
    <nav className="crumbs" aria-label={t('nav.crumbs')}>
      {deeper ? <Link to={destination.to}>{page}</Link> : <span aria-current="page">{page}</span>}
      {path === '/review' && (
        <span className="crumb-of-page" aria-current="page">
          {t('title', { ns: 'review' })}
        </span>
      )}
      <span id={TOP_BAR.crumb} className="truncate" />
    </nav>
  );
}
