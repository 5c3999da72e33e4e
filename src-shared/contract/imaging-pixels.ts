/** Types of stored pixel values, each in little endian; `rgb8` has red, green and blue of each pixel. */
export type PixelType = 'uint8' | 'uint16' | 'int16' | 'float32' | 'rgb8';

/** A window in the unit of the pixels; `name` is what the header calls it. */
export interface PixelWindow {
  center: number;
  width: number;
  name: string | null;
}

/** What a viewer needs to know of the pixels of a frame. Lengths are in millimeters, positions are the patient's. */
export interface PixelHeader {
  rows: number;
  columns: number;
  type: PixelType;
  /** A stored value times the slope plus the intercept is in `unit`. */
  slope: number;
  intercept: number;
  /** Of the stored values. */
  minimum: number;
  maximum: number;
  /** Such as `HU`; null where the header names none. */
  unit: string | null;
  /** Whether the least value is white. */
  isInverted: boolean;
  /** At least one: that of the header, or else the whole range of values. */
  windows: PixelWindow[];
  windowShape: 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';
  /** Between the centers of rows, then of columns. */
  spacing: [rows: number, columns: number] | null;
  /** Where the spacing applies: in the patient, or only at the detector, so that what is measured is too large. */
  spacingAt: 'patient' | 'detector' | null;
  /** Height of a pixel by its width. */
  aspect: number;
  /** Of the center of the first pixel. */
  position: [number, number, number] | null;
  /** Direction of rows, then of columns. */
  orientation: [number, number, number, number, number, number] | null;
  frameOfReference: string | null;
  thickness: number | null;
  modality: string | null;
  sopInstanceUid: string | null;
  instanceNumber: number | null;
  /** Of an object with several frames, such as an ultrasound film; per second. */
  frameRate: number | null;
  /** Whether the bits of graphics follow the values. */
  hasOverlay: boolean;
}

const LENGTH_BYTES = 4;
/** Typed arrays begin at multiples of the size of their values. */
const ALIGNMENT = 8;

/**
 * The body of a reply: the length of the header, the header as JSON, spaces up to a multiple of 8, the values; then, of
 * a frame with graphics, a bit for each pixel, row by row, the lowest bit of a byte first.
 */
export function joinPixels(
  header: PixelHeader,
  values: Uint8Array,
  overlay: Uint8Array | null,
): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = Math.ceil((LENGTH_BYTES + json.length) / ALIGNMENT) * ALIGNMENT;
  const body = new Uint8Array(start + values.length + (overlay?.length ?? 0)).fill(0x20, 0, start);
  new DataView(body.buffer).setUint32(0, start - LENGTH_BYTES, true);
  body.set(json, LENGTH_BYTES);
  body.set(values, start);
  if (overlay) body.set(overlay, start + values.length);
  return body;
}

/** Reads the body of a reply; values and graphics share its memory. */
export function splitPixels(body: ArrayBuffer): {
  header: PixelHeader;
  values: Uint8Array<ArrayBuffer>;
  overlay: Uint8Array<ArrayBuffer> | null;
} {
  const start = LENGTH_BYTES + new DataView(body).getUint32(0, true);
  const json = new TextDecoder().decode(new Uint8Array(body, LENGTH_BYTES, start - LENGTH_BYTES));
  const header = JSON.parse(json) as PixelHeader;
  const end = header.hasOverlay ? body.byteLength - Math.ceil((header.rows * header.columns) / 8) : body.byteLength;
  return {
    header,
    values: new Uint8Array(body, start, end - start),
    overlay: header.hasOverlay ? new Uint8Array(body, end) : null,
  };
}
