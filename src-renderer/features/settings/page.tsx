import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useItemTitle } from '../../client/page-title.ts';
import { useMe } from '../../client/session.tsx';
import { Crumb } from '../../ui/top-bar-places.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { SECTIONS } from './sections.ts';
import './settings.css';

/** The settings page: the list of sections and the open one. */
export default function SettingsPage() {
  const { t } = useTranslation('settings');
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isAdmin = useMe()?.role === 'admin';
  const open = SECTIONS.find(({ to }) => to === path.replace(/\/$/, ''));
  useItemTitle(open && open.to !== '/settings' ? t(open.label) : undefined);
  const nav = useRef<HTMLElement>(null);
  // On narrow screens the list scrolls sideways; keep the open section in view.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [path]);
  return (
    <div className="page settings">
      <div className="page-head">
        <h1>{t('title')}</h1>
      </div>
      <div className="settings-body">
        <nav ref={nav} className="settings-nav" aria-label={t('sections')}>
          {SECTIONS.filter(({ adminOnly }) => isAdmin || !adminOnly).map(({ to, label, glyph, ...section }) => (
            <Link
              key={to}
              to={to}
              search={(search) => ({ patient: search.patient })}
              className="nav"
              data-rule={'opensGroup' in section || undefined}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
            >
              <Icon glyph={glyph} />
              {t(label)}
            </Link>
          ))}
        </nav>
        <div className="settings-section" data-page-start={(open && open.to !== '/settings') || undefined}>
          {open?.adminOnly && !isAdmin ? (
            <EmptyState title={t('admin_only')}>{t('admin_only_text')}</EmptyState>
          ) : (
            <Outlet />
          )}
        </div>
      </div>
      {open && open.to !== '/settings' && <Crumb>{t(open.label)}</Crumb>}
    </div>
  );
}
