interface HeicImage {
  get_width(): number;
  get_height(): number;
  display(target: ImageData, done: (data: ImageData | null) => void): void;
  free(): void;
}
interface Libheif {
  ready?: Promise<unknown>;
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeicImage[]; decoder: { delete(): void } };
}

/** Decodes the first image of a HEIC file. The decoder (2 MB) is fetched for the first file. */
export async function decodeHeic(bytes: Uint8Array): Promise<ImageData> {
  const { default: createLibheif } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  const libheif = createLibheif() as Libheif;
  await libheif.ready;
  const decoder = new libheif.HeifDecoder();
  const images = decoder.decode(bytes);
  try {
    const [image] = images;
    if (!image) throw new Error('The file contains no image.');
    const target = new ImageData(image.get_width(), image.get_height());
    return await new Promise((resolve, reject) =>
      image.display(target, (data) => (data ? resolve(data) : reject(new Error('The image is damaged.')))),
    );
  } finally {
    for (const image of images) image.free();
    decoder.decoder.delete();
  }
}
