import { stage } from '../stage.ts';

/** Gives the file the folder and name that its fields ask for. Repeating it changes nothing. */
export const organizing = stage({
  name: 'organizing',
  version: 1,
  needs: ['extraction'],
  makes: ['place'],
  run: async (_input, tools) => ({ ok: true, value: { place: tools.organize() } }),
});
