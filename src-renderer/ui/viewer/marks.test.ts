import { expect, it } from 'vitest';
import { marksByPage } from './marks.ts';

it('marks the current hit and puts highlighted places above hits', () => {
  const marks = marksByPage(
    [{ page: 2, bbox: [0, 0, 1, 0.1] }],
    [
      { page: 1, boxes: [[0, 0, 0.1, 0.1]] },
      {
        page: 2,
        boxes: [
          [0, 0, 0.1, 0.1],
          [0, 0.2, 0.1, 0.1],
        ],
      },
    ],
    1,
  );
  expect(marks.get(1)?.map((mark) => mark.kind)).toEqual(['hit']);
  expect(marks.get(2)?.map((mark) => mark.kind)).toEqual(['hit-on', 'hit-on', 'place']);
  expect(marks.get(3)).toBeUndefined();
});
