/**
 * HEIC photos built box by box (ISO/IEC 23008-12, ISO/IEC 14496-12), so that their headers can be wrong. Their pixels
 * are those of one tile of 512 × 512, which x265 encoded from a plain color.
 */

/** `HEVCDecoderConfigurationRecord` of the tile (ISO/IEC 14496-15, 8.3.3.1). */
const CONFIGURATION = Buffer.from(
  '0104080000009fa8000000005af000fcfdf8f800000f03200001001740010c01ffff0408000003009fa800000300005aba0240210001' +
    '00294201010408000003009fa800000300005aa004020080596ea4932bc05a02000003000200000300021022000100064401c1718312',
  'hex',
);
const TILE_SLICE = Buffer.from(
  '2801af0b44168b52528440fb12f9c949c3646aed3a74a1de8a21162068700958aa38560550a92dc00000ed8093' +
    '0e3438000003000090808700000300000300013d00000300000300003f60000003000003000252000003000003000ab8000003000003' +
    '001f50',
  'hex',
);
/** Side of a tile in pixels. */
export const TILE_SIDE = 512;

const u8 = (value: number): Buffer => Buffer.from([value]);
const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const box = (type: string, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
};
const fullBox = (type: string, version: number, flags: number, ...parts: Buffer[]): Buffer =>
  box(type, u32(version * 2 ** 24 + flags), ...parts);

export interface HeicOptions {
  columns: number;
  rows: number;
  /** Size that the header claims; by default that of all tiles. */
  width?: number;
  height?: number;
  /** Tiles that the file has, if not `columns × rows`. */
  tiles?: number;
}

/** A photo whose tiles are all the same bytes: any number of pixels costs 20 bytes a tile. */
export function heic({ columns, rows, width, height, tiles = columns * rows }: HeicOptions): Buffer {
  const size = [u32(width ?? columns * TILE_SIDE), u32(height ?? rows * TILE_SIDE)];
  const grid = Buffer.concat([u8(0), u8(1), u8(rows - 1), u8(columns - 1), ...size]);
  const slice = Buffer.concat([u32(TILE_SLICE.length), TILE_SLICE]);
  const ids = Array.from({ length: tiles }, (_, i) => i + 2);
  const head = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'));
  const meta = (sliceOffset: number): Buffer =>
    fullBox(
      'meta',
      0,
      0,
      fullBox('hdlr', 0, 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, 0, u16(1)),
      fullBox('iinf', 0, 0, u16(tiles + 1), itemInfo(1, 'grid', 0), ...ids.map((id) => itemInfo(id, 'hvc1', 1))),
      fullBox('iref', 0, 0, box('dimg', u16(1), u16(tiles), ...ids.map(u16))),
      properties(size, ids),
      itemLocations(grid.length, sliceOffset, slice.length, ids),
      box('idat', grid),
    );
  const offset = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(offset), box('mdat', slice)]);
}

/** Version 2 of an item's entry; `flags` 1 hides it. */
const itemInfo = (id: number, type: string, flags: number): Buffer =>
  fullBox('infe', 2, flags, u16(id), u16(0), Buffer.from(type), u8(0));

/** The tiles have the decoder's configuration and their size, the photo its own size. */
const properties = (size: Buffer[], ids: number[]): Buffer =>
  box(
    'iprp',
    box(
      'ipco',
      box('hvcC', CONFIGURATION),
      fullBox('ispe', 0, 0, u32(TILE_SIDE), u32(TILE_SIDE)),
      fullBox('ispe', 0, 0, ...size),
    ),
    fullBox(
      'ipma',
      0,
      0,
      u32(ids.length + 1),
      ...[u16(1), u8(1), u8(3)],
      ...ids.flatMap((id) => [u16(id), u8(2), u8(0x81), u8(2)]),
    ),
  );

/** The grid is in `idat`, all tiles in the same bytes of the file. */
const itemLocations = (gridBytes: number, offset: number, bytes: number, ids: number[]): Buffer =>
  fullBox(
    'iloc',
    1,
    0,
    ...[u8(0x44), u8(0), u16(ids.length + 1)],
    ...[u16(1), u16(1), u16(0), u16(1), u32(0), u32(gridBytes)],
    ...ids.flatMap((id) => [u16(id), u16(0), u16(0), u16(1), u32(offset), u32(bytes)]),
  );
