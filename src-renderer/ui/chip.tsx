import { X, type LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

/** A small button that opens a choice or acts on its row; `on` marks an active choice. */
export function Chip({
  isOn = false,
  glyph,
  className,
  children,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { isOn?: boolean; glyph?: LucideIcon }) {
  return (
    <button type={type} className={classNames('chip', isOn && 'chip-on', className)} {...rest}>
      {glyph && <Icon glyph={glyph} size={14} />}
      {children}
    </button>
  );
}

/** An active chip with a remove button, which is named by `removeLabel`. */
export function RemovableChip({
  children,
  removeLabel,
  onRemove,
}: {
  children: ReactNode;
  removeLabel: string;
  onRemove: () => void;
}) {
  return (
    <span className="chip-group">
      {children}
      <button type="button" className="chip chip-on" aria-label={removeLabel} onClick={onRemove}>
        <Icon glyph={X} size={12} />
      </button>
    </span>
  );
}

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'high' | 'low' | 'accent';

/** A short text on a tinted background; not a control. */
export function Tag({
  tone = 'plain',
  glyph,
  children,
  title,
}: {
  tone?: Tone;
  glyph?: LucideIcon | undefined;
  children: ReactNode;
  title?: string | undefined;
}) {
  return (
    <span className={classNames('tag', tone !== 'plain' && `tag-${tone}`)} title={title}>
      {glyph && <Icon glyph={glyph} size={12} />}
      <span className="truncate">{children}</span>
    </span>
  );
}
