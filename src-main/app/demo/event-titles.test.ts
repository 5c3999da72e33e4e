import { expect, it } from 'vitest';
import { EPISODES } from '../../../test/fixtures/demo/story.ts';
import { eventTitleIn } from './event-titles.ts';

it('every event of the sample household has a German title, if it is another word', () => {
  const titles = EPISODES.map(({ event }) => event.title);
  expect(titles.filter((title) => eventTitleIn('de', title) === null)).toEqual(['Diabetes']);
  expect(titles.map((title) => eventTitleIn('en', title))).toEqual(titles.map(() => null));
});
