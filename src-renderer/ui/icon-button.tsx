import type { ComponentProps } from 'react';
import type { LucideIcon } from 'lucide-react';
import { lookOf, type Look } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Tooltip } from './tooltip.tsx';

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
