import type { PixelHeader } from '../../../../src-shared/contract/imaging-pixels.ts';
import { CT_WINDOWS } from '../../../../src-shared/medical/ct-windows.ts';

/** A window in the unit of the pixels. */
export interface Window {
  center: number;
  width: number;
}

export type WindowName = (typeof CT_WINDOWS)[number]['name'] | 'own' | 'whole' | 'narrow';

/** A window to choose; `label` is what the header of the picture calls it. */
export interface WindowChoice extends Window {
  name: WindowName;
  label: string | null;
}

/**
 * The windows to choose from, the first nine by key: those of its kind, as in other viewers, those of the picture's
 * header, and the whole range of its values.
 */
export function windowChoices(header: PixelHeader): WindowChoice[] {
  const own = header.windows.map(({ center, width, name }) => ({ name: 'own' as const, label: name, center, width }));
  const whole = wholeRange(header);
  const all = { ...whole, name: 'whole' as const, label: null };
  if (header.unit === 'HU') return [...CT_WINDOWS.map((window) => ({ ...window, label: null })), ...own, all];
  return [...own, { ...whole, width: Math.max(1, whole.width / 2), name: 'narrow', label: null }, all];
}

function wholeRange({ minimum, maximum, slope, intercept }: PixelHeader): Window {
  const ends = [minimum * slope + intercept, maximum * slope + intercept];
  const [least, greatest] = [Math.min(...ends), Math.max(...ends)];
  return { center: (least + greatest) / 2, width: Math.max(1, greatest - least) };
}

/** The first and last value of a window (PS3.3, C.11.2.1.2); windows of fractions have no whole steps. */
export const rangeOf = ({ center, width }: Window): { lower: number; upper: number } => ({
  lower: center - width / 2,
  upper: center + width / 2 - (width > 1 ? 1 : 0),
});

/** The window between two values. */
export function windowOf({ lower, upper }: { lower: number; upper: number }): Window {
  const step = upper - lower >= 1 ? 1 : 0;
  return { center: (lower + upper + step) / 2, width: upper - lower + step };
}

export const isSameWindow = (a: Window, b: Window): boolean =>
  Math.abs(a.center - b.center) < 1 && Math.abs(a.width - b.width) < 1;
