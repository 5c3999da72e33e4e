import type { ComponentProps } from 'react';
import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Tooltip } from './tooltip.tsx';

interface Look {
  variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 'small' | 'medium' | 'large';
}

const lookOf = ({ variant = 'plain', size = 'medium' }: Look) =>
  classNames('btn', variant !== 'plain' && `btn-${variant}`, size !== 'medium' && `btn-${size}`);

/** Class of a link that looks like a button. */
export const buttonClass = (look: Look = {}): string => lookOf(look);

/** A button with a label; `glyph` comes before it. */
export function Button({
  variant,
  size,
  glyph,
  className,
  children,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & Look & { glyph?: LucideIcon }) {
  return (
    <button type={type} className={classNames(lookOf({ variant, size }), className)} {...rest}>
      {glyph && <Icon glyph={glyph} />}
      {children}
    </button>
  );
}

/** A button that shows only an icon: `label` is its name and its tooltip, `keys` the shortcut shown in it. */
export function IconButton({
  glyph,
  label,
  keys,
  variant = 'quiet',
  size,
  className,
  type = 'button',
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & Look & { glyph: LucideIcon; label: string; keys?: string }) {
  return (
    <Tooltip text={label} keys={keys}>
      <button
        type={type}
        aria-label={label}
        className={classNames(lookOf({ variant, size }), 'icon-btn', className)}
        {...rest}
      >
        <Icon glyph={glyph} />
      </button>
    </Tooltip>
  );
}
