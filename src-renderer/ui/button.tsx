import type { ComponentProps } from 'react';
import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

export interface Look {
  variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 'small' | 'medium' | 'large';
}

/** The classes of a look. */
export const lookOf = ({ variant = 'plain', size = 'medium' }: Look) =>
  classNames('btn', variant !== 'plain' && `btn-${variant}`, size !== 'medium' && `btn-${size}`);

/** Class of a link that looks like a button. */
export const buttonClass = (look: Look = {}): string => lookOf(look);

/** A button with a label; `glyph` comes before it. A double click submits a form once. */
export function Button({
  variant,
  size,
  glyph,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'> & Look & { glyph?: LucideIcon }) {
  return (
    <button
      type={type}
      className={classNames(lookOf({ variant, size }), className)}
      onClick={(event) => {
        if (type === 'submit' && event.detail > 1) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {glyph && <Icon glyph={glyph} />}
      {children}
    </button>
  );
}
