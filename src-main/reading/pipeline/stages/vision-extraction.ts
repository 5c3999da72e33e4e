import { stage } from '../stage.ts';

/**
 * Extracts fields from page images in one step. Providers of this kind can't be configured yet, and the user interface
 * says so.
 */
export const visionExtraction = stage({
  name: 'vision_extraction',
  version: 1,
  needs: ['document'],
  makes: ['extraction'],
  async run() {
    return {
      ok: false,
      reason: 'unconfigured',
      code: 'reading.no_vision_model',
    };
  },
});
