import { createHash } from 'node:crypto';
import { scenes, type Scene } from './scenes.ts';

/** The pages that are drawn in each rotation, by day and by night: one of each kind, and each that differs by its parts. */
export const ROTATED_PAGES = [
  ...['market-open', 'market-closed', 'market-before', 'market-after', 'market-closed-german', 'market-old'],
  ...['clock-line', 'clock-line-12', 'price-thousands-cents', 'price-ten-thousands', 'price-negative-cents'],
  ...['ticker-price-alone', 'ticker-position', 'alert-above', 'alert-below', 'flash-up', 'flash-down'],
  ...['watchlist-1', 'watchlist-4', 'watchlist-8', 'portfolio-eight', 'clock-12', 'clock-german', 'clock-three'],
  ...['night-clock-red', 'setup-drawn', 'setup-german', 'no-symbols', 'no-network', 'confirm', 'loader', 'safe-mode'],
  ...['boot-joining', 'joined', 'update-unsigned', 'missing-certificate-german'],
] as const;
export const ROTATIONS = [0, 1, 2, 3] as const;
export type Rotation = (typeof ROTATIONS)[number];

/** Width and height of a picture. */
export const SIDE = 240;
/** The backlight at night in percent, and how bright that seems. */
const NIGHT_BRIGHTNESS = 20;
export const NIGHT_SEEMS = Math.sqrt(NIGHT_BRIGHTNESS / 100);

export interface RotatedScene extends Scene {
  page: string;
  rotation: Rotation;
  isNight: boolean;
}
export interface RotatedPicture extends RotatedScene {
  /** As it leaves to the panel. */
  rgba: Uint8Array | Uint8ClampedArray;
}

/** Each page in each rotation, by day and by night. */
export function rotatedScenes(): RotatedScene[] {
  const known = new Map(scenes().map((scene) => [scene.name, scene]));
  return ROTATED_PAGES.flatMap((page) =>
    [false, true].flatMap((isNight) => ROTATIONS.map((rotation) => rotateScene(known.get(page)!, rotation, isNight))),
  );
}

function rotateScene({ name: page, settings, view }: Scene, rotation: Rotation, isNight: boolean): RotatedScene {
  const light = isNight ? { night: true, brightness: NIGHT_BRIGHTNESS } : { night: false, brightness: 100 };
  return {
    ...{ page, rotation, isNight, name: `${page} ${rotation * 90}° ${isNight ? 'night' : 'day'}` },
    settings: { ...(settings as object), rotation },
    view: { ...(view as object), ...light },
  };
}

/** The name and the hash of a picture, as the list of golden ones has them. */
export const namedHash = ({ name, rgba }: RotatedPicture): [string, string] => [
  name,
  createHash('sha256').update(rgba).digest('hex').slice(0, 16),
];

/** An upright picture turned clockwise by this many quarters, as a panel that is mounted so needs it. */
export function turned(upright: Uint8Array | Uint8ClampedArray, rotation: Rotation): Uint8Array {
  const last = SIDE - 1;
  const places = [
    (x: number, y: number) => [x, y],
    (x: number, y: number) => [last - y, x],
    (x: number, y: number) => [last - x, last - y],
    (x: number, y: number) => [y, last - x],
  ] as const;
  const from = new Uint32Array(upright.buffer, upright.byteOffset, SIDE * SIDE);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1) {
      const [column, row] = places[rotation](x, y) as [number, number];
      to[row * SIDE + column] = from[y * SIDE + x]!;
    }
  return new Uint8Array(to.buffer);
}
