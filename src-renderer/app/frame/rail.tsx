import { FileText, List, PanelLeftClose, PanelLeftOpen, Settings } from 'lucide-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useFormats } from '../i18n/format.ts';
import { useOverview } from './overview.ts';
import { PatientSwitcher } from './patient-switcher.tsx';

/** Whose record, and the pages. */
export function Rail({ collapsed, onCollapse, onNavigate }: { collapsed: boolean; onCollapse: () => void; onNavigate: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const patient = useSearch({ strict: false }).patient;
  const { data } = useOverview(patient);
  const entries = [
    { to: '/', label: t('nav.today'), glyph: List, count: data?.to_review_total },
    { to: '/documents', label: t('nav.documents'), glyph: FileText, count: data?.document_total },
    { to: '/settings', label: t('nav.settings'), glyph: Settings, count: undefined },
  ] as const;
  return (
    <nav className="rail" aria-label={t('app.main_navigation')} data-collapsed={collapsed || undefined}>
      <PatientSwitcher collapsed={collapsed} />
      {entries.map(({ to, label, glyph, count }) => (
        <Link key={to} to={to} className="nav" activeOptions={{ exact: to === '/', includeSearch: false }} activeProps={{ 'aria-current': 'page' }} title={collapsed ? label : undefined} onClick={onNavigate}>
          <Icon glyph={glyph} />
          <span className="nav-label">{label}</span>
          {count !== undefined && count > 0 && <span className="nav-count num">{formats.count(count)}</span>}
        </Link>
      ))}
      <span className="rail-foot"><IconButton glyph={collapsed ? PanelLeftOpen : PanelLeftClose} label={collapsed ? t('nav.expand') : t('nav.collapse')} onClick={onCollapse} /></span>
    </nav>
  );
}
