import { stage } from '../stage.ts';

/** Moves the file to the folder and name that follow from its fields. Repeating it changes nothing. */
export const organizing = stage({
  name: 'organizing',
  version: 1,
  needs: ['extraction'],
  makes: ['place'],
  run: async (_input, tools) => ({ ok: true, value: { place: tools.organize() } }),
});
