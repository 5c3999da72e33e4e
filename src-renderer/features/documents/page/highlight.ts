import type { PlaceKey } from './places.ts';
import type { EditableField } from './changes.ts';

export interface Highlight {
  highlighted: PlaceKey | null;
  onHighlight: (key: PlaceKey | null) => void;
  onShow: (key: PlaceKey) => void;
}

export interface Editing {
  editing: EditableField | null;
  onEdit: (field: EditableField | null) => void;
}
