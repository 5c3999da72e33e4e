import type { GrayscaleImage } from '../page/prepare/grayscale.ts';

/** What was recognized in a picture of one line; how sure of the least certain character, 0 to 1. */
export interface ReadNumber {
  text: string;
  confidence: number;
}

export interface NumberRequest {
  images: GrayscaleImage[];
}
