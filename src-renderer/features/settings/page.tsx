import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../app/session.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { SECTIONS } from './sections.ts';
import './settings.css';

/** The list of sections, and the one that is open. */
export default function SettingsPage() {
  const { t } = useTranslation('settings');
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isAdmin = useMe()?.role === 'admin';
  const open = SECTIONS.find(({ to }) => to === path.replace(/\/$/, ''));
  const crumb = document.getElementById('crumb');
  return (
    <div className="page settings">
      <div className="page-head"><h1>{t('title')}</h1></div>
      <div className="settings-body">
        <nav className="settings-nav" aria-label={t('sections')}>
          {SECTIONS.filter(({ adminOnly }) => isAdmin || !adminOnly).map(({ to, label, glyph }) => (
            <Link key={to} to={to} search={(search) => ({ patient: search.patient })} className="nav" activeOptions={{ exact: true, includeSearch: false }} activeProps={{ 'aria-current': 'page' }}>
              <Icon glyph={glyph} />{t(label)}
            </Link>
          ))}
        </nav>
        <div className="settings-section">
          {open?.adminOnly && !isAdmin ? <EmptyState title={t('admin_only')}>{t('admin_only_text')}</EmptyState> : <Outlet />}
        </div>
      </div>
      {crumb && open && open.to !== '/settings' && createPortal(t(open.label), crumb)}
    </div>
  );
}
