import {
  ChartNoAxesGantt,
  FileText,
  FlaskConical,
  FolderTree,
  List,
  MessageSquareText,
  MonitorDot,
  ScanLine,
  Settings,
  Share2,
  Smartphone,
  SpellCheck,
  type LucideIcon,
} from 'lucide-react';

/**
 * The main pages in the order of the rail; rail, palette, shortcuts and breadcrumb use this list. `name` is a key below
 * `nav` in the catalogue; `key` is the shortcut after `g`; a divider separates groups.
 */
export const DESTINATIONS = [
  { to: '/', name: 'today', glyph: List, key: 't', group: 'record' },
  { to: '/documents', name: 'documents', glyph: FileText, key: 'd', group: 'record' },
  { to: '/timeline', name: 'timeline', glyph: ChartNoAxesGantt, key: 'e', group: 'record' },
  { to: '/labs', name: 'labs', glyph: FlaskConical, key: 'l', group: 'record' },
  { to: '/imaging', name: 'imaging', glyph: ScanLine, key: 'i', group: 'record' },
  { to: '/ask', name: 'ask', glyph: MessageSquareText, key: 'k', group: 'record' },
  { to: '/shares', name: 'shares', glyph: Share2, key: 'h', group: 'record' },
  { to: '/names', name: 'names', glyph: SpellCheck, key: 'n', group: 'house' },
  { to: '/vault', name: 'vault', glyph: FolderTree, key: 'f', group: 'house' },
  { to: '/phones', name: 'phones', glyph: Smartphone, key: 'p', group: 'devices' },
  { to: '/tickers', name: 'tickers', glyph: MonitorDot, key: 'c', group: 'devices' },
  { to: '/settings', name: 'settings', glyph: Settings, key: 's', group: 'settings' },
] as const satisfies readonly {
  to: string;
  name: string;
  glyph: LucideIcon;
  key: string;
  group: 'record' | 'house' | 'devices' | 'settings';
}[];

/** Returns the destination to which a path belongs, if any. The review is a part of Today. */
export const destinationOf = (path: string): (typeof DESTINATIONS)[number] | undefined =>
  DESTINATIONS.find(({ to }) =>
    to === '/' ? path === '/' || path === '/review' : path === to || path.startsWith(`${to}/`),
  );
