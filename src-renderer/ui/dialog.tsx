import { Dialog as Radix } from 'radix-ui';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { classNames } from './class-names.ts';
import { useReturnFocus } from './use-return-focus.ts';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}

/**
 * A modal dialog. It uses its own scrim, because the overlay of the library injects a style tag, which the content
 * security policy refuses.
 */
export function Dialog({ open, onOpenChange, title, wide: isWide = false, children }: Props & { wide?: boolean }) {
  const returnFocus = useReturnFocus(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <div className="scrim" aria-hidden="true" />
        <Radix.Content
          className={classNames('float dialog', isWide && 'dialog-wide')}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <header>
            <Radix.Title asChild>
              <h2>{title}</h2>
            </Radix.Title>
          </header>
          <div className="dialog-body">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Focus the sheet instead of its close button, whose tooltip would open and consume the first Escape. */
function focusSheet(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}

/** A non-modal panel at the edge of the window; with `isFull`, over the whole window. */
export function SideSheet({
  open,
  onOpenChange,
  title,
  closeLabel,
  isFull = false,
  children,
}: Props & { closeLabel: string; isFull?: boolean }) {
  const returnFocus = useReturnFocus(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Radix.Portal>
        <Radix.Content
          className={classNames('side-sheet', isFull && 'side-sheet-full')}
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onOpenAutoFocus={focusSheet}
          onCloseAutoFocus={returnFocus}
        >
          <div className="panel-head row">
            <Radix.Title asChild>
              <h2 className="truncate">{title}</h2>
            </Radix.Title>
            <Radix.Close asChild>
              <IconButton glyph={X} label={closeLabel} className="push" />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
