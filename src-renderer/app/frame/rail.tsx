import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { Link, useRouterState, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useFormats } from '../../client/format.ts';
import { destinationOf, DESTINATIONS } from './destinations.ts';
import { useOverview } from '../../client/overview.ts';
import { PatientSwitcher } from './patient-switcher.tsx';

/** The navigation: patient switcher and pages. */
export function Rail({
  isCollapsed,
  onCollapse,
  onNavigate,
}: {
  isCollapsed: boolean;
  onCollapse: () => void;
  onNavigate: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const patient = useSearch({ strict: false }).patient;
  const current = useRouterState({ select: (state) => destinationOf(state.location.pathname)?.to });
  const { data } = useOverview(patient);
  const counts: Record<string, number | undefined> = { '/': data?.to_review_total, '/documents': data?.document_total };
  const entries = DESTINATIONS.map(({ to, name, glyph, group }, index) => ({
    to,
    glyph,
    label: t(`nav.${name}`),
    count: counts[to],
    opensGroup: index > 0 && DESTINATIONS[index - 1]?.group !== group,
  }));
  return (
    <nav className="rail" aria-label={t('app.main_navigation')} data-collapsed={isCollapsed || undefined}>
      <PatientSwitcher collapsed={isCollapsed} />
      {entries.map(({ to, label, glyph, count, opensGroup }) => (
        <Link
          key={to}
          to={to}
          className="nav"
          data-rule={opensGroup || undefined}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={to === current ? 'page' : undefined}
          title={isCollapsed ? label : undefined}
          onClick={onNavigate}
        >
          <Icon glyph={glyph} />
          <span className="nav-label">{label}</span>
          {count !== undefined && count > 0 && <span className="nav-count num">{formats.count(count)}</span>}
        </Link>
      ))}
      <span className="rail-foot">
        <IconButton
          glyph={isCollapsed ? PanelLeftOpen : PanelLeftClose}
          label={isCollapsed ? t('nav.expand') : t('nav.collapse')}
          onClick={onCollapse}
        />
      </span>
    </nav>
  );
}
