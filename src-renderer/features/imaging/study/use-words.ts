import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { StudyMark } from '../../../../src-shared/contract/imaging.ts';
import { useFormats } from '../../../client/format.ts';
import { frameOf } from '../engine/engine.ts';
import { measure, valueAt, type Measured, type PixelPoint, type PixelValue } from '../engine/measure.ts';
import { planeOf, toPixel, type Vector } from '../engine/planes.ts';
import type { MeasureName } from '../engine/tools.ts';
import type { WindowChoice } from '../engine/windows.ts';

/** Digits after the point of a value: fewer for larger ones. */
function digitsOf(value: number): number {
  if (Math.abs(value) >= 100) return 0;
  return Math.abs(value) >= 10 ? 1 : 2;
}
const rounded = (value: number, digits = digitsOf(value)): number => Number(value.toFixed(digits));

export type ViewerWords = ReturnType<typeof useWords>;

/** Words for what the viewer measures and shows, in the language of the user. */
export function useWords() {
  const { t } = useTranslation('imaging');
  const { number } = useFormats();
  return useMemo(() => {
    const withUnit = (value: number, unit: string | null): string =>
      unit === null ? number(rounded(value)) : `${number(rounded(value))} ${unit}`;
    const value = (shown: PixelValue): string =>
      'gray' in shown ? withUnit(shown.gray, shown.unit) : shown.color.join(' ');
    /** The lines beside a drawing: the result first, what it was counted from below. */
    const lines = (measured: Measured | null): string[] => {
      if (measured === null) return [];
      if (measured.kind === 'length') return [`${number(rounded(measured.length, 1))} ${measured.unit}`];
      if (measured.kind === 'angle') return [`${number(rounded(measured.degrees, 1))}°`];
      if (measured.kind === 'value') return measured.value === null ? [] : [value(measured.value)];
      const { statistics, unit } = measured;
      const area =
        unit === 'mm' && measured.area >= 100
          ? `${number(rounded(measured.area / 100, 1))} cm²`
          : `${number(rounded(measured.area, 1))} ${unit}²`;
      if (statistics === null) return [area];
      const { mean, deviation, minimum, maximum } = statistics;
      const spread = `${number(rounded(mean))} ± ${withUnit(deviation, statistics.unit)}`;
      return [spread, `${t('from_to', { from: number(rounded(minimum)), to: number(rounded(maximum)) })} · ${area}`];
    };
    return {
      t,
      number,
      value,
      lines,
      /** The lines of a drawing between points of the patient's space. */
      linesOf(name: MeasureName, points: readonly Vector[], imageId: string): string[] {
        const frame = frameOf(imageId);
        if (!frame) return [];
        const plane = planeOf(frame.header);
        const pixels = points.map((point) => toPixel(plane, point));
        const isLarger = frame.header.spacingAt === 'detector' && name !== 'angle' && name !== 'probe';
        return [...lines(measure(name, pixels, frame)), ...(isLarger ? [t('at_detector')] : [])];
      },
      /** A measurement as it was saved, in short. */
      saved(measured: StudyMark['measured']): string | null {
        if (measured === null || measured.value === null) return null;
        const { value: result, unit, deviation } = measured;
        if (unit === '°') return `${number(rounded(result, 1))}°`;
        return deviation === null
          ? withUnit(result, unit)
          : `${number(rounded(result))} ± ${withUnit(deviation, unit)}`;
      },
      /** The value of the pixel under a point of a frame; null outside. */
      valueUnder(imageId: string, point: Vector): { at: PixelPoint; text: string } | null {
        const frame = frameOf(imageId);
        if (!frame) return null;
        const at = toPixel(planeOf(frame.header), point);
        const shown = valueAt(frame, at);
        return shown && { at: [Math.round(at[0]), Math.round(at[1])], text: value(shown) };
      },
      window: ({ name, label }: Pick<WindowChoice, 'name' | 'label'>): string => label ?? t(`window_${name}`),
    };
  }, [t, number]);
}
