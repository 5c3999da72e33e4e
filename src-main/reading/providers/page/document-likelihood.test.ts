import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { documentLikelihood } from './document-likelihood.ts';

const svg = (body: string): Promise<Buffer> =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="800">${body}</svg>`))
    .jpeg()
    .toBuffer();
const lines = Array.from(
  { length: 28 },
  (_, i) =>
    `<text x="50" y="${80 + i * 25}" font-size="18" font-family="DejaVu Sans">Laborbefund Nr. ${i}: Ferritin 23 µg/l, Norm 30 bis 200</text>`,
).join('');

describe('the document likelihood of an image', () => {
  it.each([
    ['a printed page', `<rect width="600" height="800" fill="#fff"/>${lines}`, true],
    ['a page under a yellow lamp', `<rect width="600" height="800" fill="#efe6d0"/>${lines}`, true],
    [
      'a page on a table',
      `<rect width="600" height="800" fill="#6b4a2f"/><rect x="40" y="30" width="530" height="750" fill="#f4f4f2"/>${lines}`,
      true,
    ],
    ['a white wall', '<rect width="600" height="800" fill="#f2f2f2"/>', false],
    [
      'a meadow',
      '<rect width="600" height="400" fill="#4b8ed6"/><rect y="400" width="600" height="400" fill="#3e8e2f"/>',
      false,
    ],
    [
      'the night',
      '<rect width="600" height="800" fill="#101018"/><circle cx="300" cy="200" r="60" fill="#fff"/>',
      false,
    ],
    [
      'a portrait',
      '<rect width="600" height="800" fill="#c9b8a8"/><circle cx="300" cy="350" r="180" fill="#e0ac88"/>' +
        '<circle cx="240" cy="310" r="18" fill="#222"/><circle cx="360" cy="310" r="18" fill="#222"/>',
      false,
    ],
  ])('knows %s', async (_, body, isPaper) => {
    expect((await documentLikelihood(await svg(body))) >= 0.6).toBe(isPaper);
  });
  it('throws for a file that is not an image', async () => {
    await expect(documentLikelihood(Buffer.from('no picture'))).rejects.toThrow();
  });
});
