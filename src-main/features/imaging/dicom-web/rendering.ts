import { fail } from '../../../platform/kernel/errors.ts';
import type { FrameOptions } from '../../../reading/dicom/render.ts';
import { covers, type MediaRange } from './accept.ts';
import { invalidParameter } from './query.ts';

/** Of a picture of one frame, the default first (PS3.18, table 8.7.4-1). */
const PICTURE_TYPES = ['image/jpeg', 'image/png'] as const;
const DEFAULT_QUALITY = 90;
const SHAPES = { linear: 'LINEAR', 'linear-exact': 'LINEAR_EXACT', sigmoid: 'SIGMOID' } as const;

/**
 * The picture that a client accepts most, drawn as the parameters of its address say (PS3.18, 8.3.5).
 * @throws `dicomweb.not_acceptable`, `dicomweb.invalid_parameter`
 */
export function renderingOf(
  ranges: readonly MediaRange[],
  search: URLSearchParams,
): { type: (typeof PICTURE_TYPES)[number]; options: FrameOptions } {
  const [type] = ranges.flatMap((range) => PICTURE_TYPES.filter((one) => covers(range, one)));
  if (type === undefined) throw fail('dicomweb.not_acceptable');
  const quality = qualityOf(search);
  return { type, options: { ...windowOf(search), ...(type === 'image/jpeg' && { jpegQuality: quality }) } };
}

/** @throws `dicomweb.invalid_parameter` */
function qualityOf(search: URLSearchParams): number {
  const text = search.get('quality');
  if (text === null) return DEFAULT_QUALITY;
  const quality = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (quality < 1 || quality > 100) throw invalidParameter('quality', text);
  return quality;
}

/** `center,width,function` (PS3.18, 8.3.5.1.4). @throws `dicomweb.invalid_parameter` */
function windowOf(search: URLSearchParams): Pick<FrameOptions, 'windowCenter' | 'windowWidth' | 'windowShape'> {
  const text = search.get('window');
  if (text === null) return {};
  const [center = '', width = '', name = 'linear', ...rest] = text.split(',').map((part) => part.trim());
  const [windowCenter, windowWidth] = [center, width].map((part) => (part === '' ? NaN : Number(part)));
  const windowShape = Object.entries(SHAPES).find(([one]) => one === name.toLowerCase())?.[1];
  const isValid = Number.isFinite(windowCenter) && Number.isFinite(windowWidth) && windowWidth! > 0;
  if (!isValid || windowShape === undefined || rest.length > 0) throw invalidParameter('window', text);
  return { windowCenter, windowWidth, windowShape };
}
