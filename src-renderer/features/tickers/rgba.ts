/** RGB565 as red, green, blue, 255, as the firmware's own pictures have it (firmware/render/frame.cpp). */
export function rgbaOf(pixels: Uint16Array): Uint8ClampedArray<ArrayBuffer> {
  const bytes = new Uint8ClampedArray(pixels.length * 4);
  for (const [at, pixel] of pixels.entries()) {
    const [red, green, blue] = [pixel >> 11, (pixel >> 5) & 63, pixel & 31];
    bytes.set([(red << 3) | (red >> 2), (green << 2) | (green >> 4), (blue << 3) | (blue >> 2), 255], at * 4);
  }
  return bytes;
}
