import { X } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { SideSheet } from './dialog.tsx';
import { NARROW, useMedia } from './use-media.ts';

/**
 * A pane beside a page inside `.page-with-pane`. The page becomes narrower, so that nothing of it is covered; on narrow
 * screens the pane covers the whole page and takes the focus.
 */
export function SidePane({
  title,
  closeLabel,
  onClose,
  children,
}: {
  title: string;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const heading = useId();
  if (useMedia(NARROW))
    return (
      <SideSheet
        open
        isFull
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        title={title}
        closeLabel={closeLabel}
      >
        {children}
      </SideSheet>
    );
  return (
    <aside className="side-pane" aria-labelledby={heading}>
      <div className="panel-head row">
        <h2 id={heading} className="truncate">
          {title}
        </h2>
        <IconButton glyph={X} label={closeLabel} className="push" onClick={onClose} />
      </div>
      {children}
    </aside>
  );
}
