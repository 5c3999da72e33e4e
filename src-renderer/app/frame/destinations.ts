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
import { PAGES, type PageName } from '../../../src-shared/contract/commands.ts';

const GLYPHS: Record<PageName, LucideIcon> = {
  today: List,
  documents: FileText,
  timeline: ChartNoAxesGantt,
  labs: FlaskConical,
  imaging: ScanLine,
  ask: MessageSquareText,
  shares: Share2,
  names: SpellCheck,
  vault: FolderTree,
  phones: Smartphone,
  tickers: MonitorDot,
  settings: Settings,
};

/** The main pages in the order of the rail, with their icons; rail, palette, shortcuts and breadcrumb use this list. */
export const DESTINATIONS = PAGES.map((page) => ({ ...page, glyph: GLYPHS[page.name] }));

/** Returns the destination to which a path belongs, if any. The review is a part of Today. */
export const destinationOf = (path: string): (typeof DESTINATIONS)[number] | undefined =>
  DESTINATIONS.find(({ to }) =>
    to === '/' ? path === '/' || path === '/review' : path === to || path.startsWith(`${to}/`),
  );
