import type { LucideIcon } from 'lucide-react';

/** A line icon of 16 px with the stroke of the type around it; always decorative, the control carries the name. */
export function Icon({ glyph: Glyph, size = 16 }: { glyph: LucideIcon; size?: number }) {
  return <Glyph size={size} strokeWidth={1.4} absoluteStrokeWidth aria-hidden="true" focusable="false" />;
}
