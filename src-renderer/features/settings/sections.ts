import {
  Activity,
  BookText,
  Bot,
  FolderInput,
  HardDriveDownload,
  Info,
  KeyRound,
  LockKeyhole,
  MonitorSmartphone,
  ScrollText,
  Share2,
  SlidersHorizontal,
  Trash2,
  Users,
  Vault,
  type LucideIcon,
} from 'lucide-react';
import type { Messages } from '../../locales/en.ts';

interface Section {
  to: string;
  label: keyof Messages['settings'] & `nav_${string}`;
  glyph: LucideIcon;
  adminOnly: boolean;
  /** Whether a line separates it from those above, which are for everybody. */
  opensGroup?: boolean;
  /** Titles of its panels, by which the search finds them. */
  panels: readonly PanelTitle[];
}

type PanelTitle =
  | `settings.${keyof Messages['app']['settings'] & string}`
  | `settings:${keyof Messages['settings'] & string}`
  | `vault_backups:${keyof Messages['vault_backups'] & string}`
  | `vaults:${keyof Messages['vaults'] & string}`
  | `encryption:${keyof Messages['encryption'] & string}`
  | `archive_imports:${keyof Messages['archive_imports'] & string}`;

/** The sections in display order; each has a route in app/routes.tsx. */
export const SECTIONS = [
  {
    to: '/settings',
    label: 'nav_general',
    glyph: SlidersHorizontal,
    adminOnly: false,
    panels: ['settings.look', 'settings.language', 'settings:account', 'settings:passkeys', 'settings:viewers'],
  },
  {
    to: '/settings/people',
    label: 'nav_people',
    glyph: Users,
    adminOnly: false,
    panels: ['settings.patients', 'settings:users', 'settings:matrix'],
  },
  {
    to: '/settings/reading',
    label: 'nav_reading',
    glyph: BookText,
    adminOnly: false,
    panels: ['settings:inbox', 'settings:recognition', 'settings:languages'],
  },
  {
    to: '/settings/backups',
    label: 'nav_backups',
    glyph: HardDriveDownload,
    adminOnly: true,
    panels: ['vault_backups:plan', 'vault_backups:list', 'vault_backups:database'],
  },
  {
    to: '/settings/encryption',
    label: 'nav_encryption',
    glyph: LockKeyhole,
    adminOnly: true,
    panels: ['encryption:state', 'encryption:lock', 'encryption:password', 'encryption:recovery'],
  },
  {
    to: '/settings/vaults',
    label: 'nav_vaults',
    glyph: Vault,
    adminOnly: true,
    panels: ['vaults:current', 'vaults:others'],
  },
  {
    to: '/settings/import',
    label: 'nav_import',
    glyph: FolderInput,
    adminOnly: true,
    panels: ['archive_imports:begin'],
  },
  {
    to: '/settings/sharing',
    label: 'nav_sharing',
    glyph: Share2,
    adminOnly: true,
    panels: ['settings:share_service', 'settings:mail_server'],
  },
  {
    to: '/settings/assistants',
    label: 'nav_assistants',
    glyph: Bot,
    adminOnly: false,
    panels: ['settings:assistant_connect'],
  },
  { to: '/settings/trash', label: 'nav_trash', glyph: Trash2, adminOnly: false, panels: [] },
  {
    to: '/settings/sign-in',
    label: 'nav_sign_in',
    glyph: KeyRound,
    adminOnly: true,
    opensGroup: true,
    panels: ['settings:session_panel', 'settings:oidc', 'settings:oidc_accounts'],
  },
  { to: '/settings/sessions', label: 'nav_sessions', glyph: MonitorSmartphone, adminOnly: true, panels: [] },
  { to: '/settings/audit', label: 'nav_audit', glyph: ScrollText, adminOnly: true, panels: [] },
  { to: '/settings/log', label: 'nav_log', glyph: Activity, adminOnly: true, panels: [] },
  { to: '/settings/about', label: 'nav_about', glyph: Info, adminOnly: false, panels: ['settings:licences'] },
] as const satisfies readonly Section[];
