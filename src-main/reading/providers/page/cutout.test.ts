import { expect, it } from 'vitest';
import { cropToPrint } from './cutout.ts';

const WIDTH = 400,
  HEIGHT = 600;
function paper(...prints: { left: number; top: number; right: number; bottom: number }[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(240);
  for (const { left, top, right, bottom } of prints)
    for (let y = top; y < bottom; y += 1) data.fill(10, y * WIDTH + left, y * WIDTH + right);
  return { data, width: WIDTH, height: HEIGHT };
}

it('crops blank margins and returns words at their original positions', () => {
  const { grayscale, onPage } = cropToPrint(
    paper({ left: 100, top: 50, right: 300, bottom: 60 }, { left: 100, top: 290, right: 180, bottom: 300 }),
  );
  // The margin of ten pixels is a sixtieth of the long side.
  expect([grayscale.width, grayscale.height]).toEqual([220, 270]);
  expect([
    grayscale.data[10 * 220 + 9],
    grayscale.data[10 * 220 + 10],
    grayscale.data[10 * 220 + 209],
    grayscale.data[10 * 220 + 210],
  ]).toEqual([240, 10, 10, 240]);
  const [word] = onPage([{ text: 'a', x: 10 / 220, y: 250 / 270, w: 80 / 220, h: 10 / 270, confidence: 1 }]);
  expect([word!.x * WIDTH, word!.y * HEIGHT, word!.w * WIDTH, word!.h * HEIGHT].map(Math.round)).toEqual([
    100, 290, 80, 10,
  ]);
});

it('ignores dust, and does not crop a blank or full page', () => {
  const print = { left: 150, top: 200, right: 250, bottom: 300 },
    dust = { left: 5, top: 5, right: 7, bottom: 6 };
  expect([cropToPrint(paper(print, dust)).grayscale.width, cropToPrint(paper(print, dust)).grayscale.height]).toEqual([
    120, 120,
  ]);
  for (const page of [paper(), paper({ left: 4, top: 4, right: 396, bottom: 596 })])
    expect(cropToPrint(page).grayscale).toBe(page);
});
