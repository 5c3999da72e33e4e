import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { useShortcuts } from '../../../client/shortcuts.ts';
import { useTableSelection } from '../../../ui/table/use-table-selection.ts';

interface Props {
  items: readonly DocumentListItem[];
  previewId: number | null;
  onOpen: (id: number) => void;
  onPreview: (id: number | null) => void;
}

/** Selection and keyboard shortcuts of the document list. */
export function useListKeys({ items, previewId, onOpen, onPreview }: Props) {
  const selection = useTableSelection({ items, openId: previewId, onOpen: onPreview });
  const { current, step, clear, toggle } = selection;
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    x: () => {
      if (current) toggle(current.id);
    },
    Enter: () => {
      if (current) onOpen(current.id);
    },
    space: () => {
      if (current) onPreview(previewId === null ? current.id : null);
    },
    Escape: () => (previewId === null ? clear() : onPreview(null)),
  });
  return selection;
}
