import { Command } from 'cmdk';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { Icon } from './icon.tsx';

export interface Option {
  value: string;
  label: string;
  note?: string;
}

/** The list of a combobox: typing filters, arrows and Enter select. Supports multiple selection. */
export function OptionList({
  label,
  placeholder,
  emptyText,
  options,
  selected,
  onChoose,
  onType,
  free,
}: {
  label: string;
  placeholder: string;
  emptyText: string;
  options: readonly Option[];
  selected: readonly string[];
  onChoose: (value: string) => void;
  /** Called on input if the server provides the options, which are then shown unfiltered. */
  onType?: (text: string) => void;
  /** Labels the option that accepts the typed text as a new value. */
  free?: (text: string) => string;
}) {
  const [text, setText] = useState('');
  const isKnown = options.some((option) => option.label.toLowerCase() === text.trim().toLowerCase());
  return (
    <Command label={label} shouldFilter={!onType} loop>
      <Command.Input
        autoFocus
        className="float-input"
        placeholder={placeholder}
        value={text}
        onValueChange={(next) => {
          setText(next);
          onType?.(next);
        }}
      />
      <Command.List className="option-list" label={label}>
        <Command.Empty className="float-empty">{emptyText}</Command.Empty>
        {options.map((option) => (
          <Command.Item
            key={option.value}
            className="menu-item"
            value={`${option.label} ${option.value}`}
            onSelect={() => onChoose(option.value)}
          >
            {selected.includes(option.value) ? <Icon glyph={Check} /> : <span className="menu-gap" />}
            <span className="truncate">{option.label}</span>
            {option.note && <span className="cap num">{option.note}</span>}
            {selected.includes(option.value) && <span className="sr-only">✓</span>}
          </Command.Item>
        ))}
        {free && text.trim() !== '' && !isKnown && (
          <Command.Item className="menu-item" value={`free ${text}`} forceMount onSelect={() => onChoose(text.trim())}>
            <span className="menu-gap" />
            {free(text.trim())}
          </Command.Item>
        )}
      </Command.List>
    </Command>
  );
}
