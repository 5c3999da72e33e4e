import { Command } from 'cmdk';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';

/** Wraps the action of an entry, so that the palette closes first. */
export type Run = (action: () => void) => () => void;

interface Entry {
  key: string;
  label: ReactNode;
  /** The language of the label, if it differs from that of the page. */
  lang?: string | undefined;
  glyph: LucideIcon;
  onSelect: () => void;
}

/** Whether a label contains the typed text, without regard to case and accents. */
export const matches = (label: string, q: string): boolean => q === '' || fold(label).includes(fold(q));

/** Whether the typed text names an entry: its label begins with the text or has it as a word. */
export const isNamed = (label: string, q: string): boolean =>
  q !== '' && (fold(label).startsWith(fold(q)) || fold(label).split(' ').includes(fold(q)));

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A group of entries; nothing without entries. */
export function EntryGroup({ heading, entries }: { heading: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <Command.Group heading={heading}>
      {entries.map(({ key, label, lang, glyph, onSelect }) => (
        <Command.Item key={key} lang={lang} className="menu-item" value={key} onSelect={onSelect}>
          <Icon glyph={glyph} />
          {label}
        </Command.Item>
      ))}
    </Command.Group>
  );
}
