import type { LucideIcon } from 'lucide-react';

/** A decorative line icon, 16 px by default; the control has the accessible name. */
export function Icon({ glyph: Glyph, size = 16 }: { glyph: LucideIcon; size?: number }) {
  return <Glyph size={size} strokeWidth={1.4} absoluteStrokeWidth aria-hidden="true" focusable="false" />;
}
