import {
  AppWindow,
  AtSign,
  BookOpen,
  CalendarDays,
  Contact,
  FileSearch,
  ClipboardPlus,
  Folder,
  HeartPulse,
  Images,
  Info,
  ListTodo,
  MessageCircle,
  MessagesSquare,
  Mic,
  Phone,
  Pill,
  StickyNote,
  Voicemail,
  type LucideIcon,
} from 'lucide-react';
import type { ArtifactName } from '../../../src-shared/contract/phone-backups/artifacts.ts';

/**
 * The views of a backup in the order of the rail; a divider separates groups. `artifact` must be indexed for the view.
 */
export const VIEWS = [
  { name: 'messages', glyph: MessageCircle, artifact: 'messages', group: 'communication' },
  { name: 'whatsapp', glyph: MessagesSquare, artifact: 'whatsapp', group: 'communication' },
  { name: 'calls', glyph: Phone, artifact: 'calls', group: 'communication' },
  { name: 'voicemail', glyph: Voicemail, artifact: 'voicemail', group: 'communication' },
  { name: 'contacts', glyph: Contact, artifact: 'contacts', group: 'communication' },
  { name: 'photos', glyph: Images, artifact: 'photos', group: 'personal' },
  { name: 'notes', glyph: StickyNote, artifact: 'notes', group: 'personal' },
  { name: 'calendar', glyph: CalendarDays, artifact: 'calendar', group: 'personal' },
  { name: 'reminders', glyph: ListTodo, artifact: 'reminders', group: 'personal' },
  { name: 'recordings', glyph: Mic, artifact: 'recordings', group: 'personal' },
  { name: 'safari', glyph: BookOpen, artifact: 'safari', group: 'personal' },
  { name: 'health', glyph: HeartPulse, artifact: 'health', group: 'body' },
  { name: 'medications', glyph: Pill, artifact: 'medications', group: 'body' },
  { name: 'records', glyph: ClipboardPlus, artifact: 'health', group: 'body' },
  { name: 'medical', glyph: FileSearch, artifact: null, group: 'body' },
  { name: 'files', glyph: Folder, artifact: null, group: 'files' },
  { name: 'apps', glyph: AppWindow, artifact: 'apps', group: 'files' },
  { name: 'accounts', glyph: AtSign, artifact: 'accounts', group: 'files' },
  { name: 'about', glyph: Info, artifact: null, group: 'about' },
] as const satisfies readonly { name: string; glyph: LucideIcon; artifact: ArtifactName | null; group: string }[];
type View = (typeof VIEWS)[number];
export type ViewName = View['name'];

/** The view that shows the rows of an artifact: its first one. An artifact that no view shows does not compile. */
export const viewOf = (artifact: NonNullable<View['artifact']>): View =>
  VIEWS.find((view) => view.artifact === artifact)!;
