import {
  Activity,
  BookText,
  HardDriveDownload,
  Info,
  KeyRound,
  MonitorSmartphone,
  ScrollText,
  SlidersHorizontal,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { Messages } from '../../locales/en.ts';

interface Section {
  to: string;
  label: keyof Messages['settings'] & `nav_${string}`;
  glyph: LucideIcon;
  adminOnly: boolean;
}

/** The sections in display order; each has a route in app/routes.tsx. */
export const SECTIONS = [
  { to: '/settings', label: 'nav_general', glyph: SlidersHorizontal, adminOnly: false },
  { to: '/settings/people', label: 'nav_people', glyph: Users, adminOnly: false },
  { to: '/settings/reading', label: 'nav_reading', glyph: BookText, adminOnly: false },
  { to: '/settings/sign-in', label: 'nav_sign_in', glyph: KeyRound, adminOnly: true },
  { to: '/settings/sessions', label: 'nav_sessions', glyph: MonitorSmartphone, adminOnly: true },
  { to: '/settings/backups', label: 'nav_backups', glyph: HardDriveDownload, adminOnly: true },
  { to: '/settings/audit', label: 'nav_audit', glyph: ScrollText, adminOnly: true },
  { to: '/settings/log', label: 'nav_log', glyph: Activity, adminOnly: true },
  { to: '/settings/about', label: 'nav_about', glyph: Info, adminOnly: false },
] as const satisfies readonly Section[];
