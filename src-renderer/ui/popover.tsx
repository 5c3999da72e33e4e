import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';

/**
 * A small panel anchored to `trigger`. Not modal: the page behind stays usable, and no style is injected
 * (the content security policy allows none).
 */
export function Popover({
  trigger,
  label,
  isWide = false,
  open,
  onOpenChange,
  align = 'start',
  children,
}: {
  trigger: ReactElement;
  label: string;
  isWide?: boolean;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={classNames('float popover', isWide && 'popover-wide')}
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
