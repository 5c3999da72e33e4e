import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askLine } from './ask-secret.ts';

test('a terminal that goes away answers nothing, as one that ends', async () => {
  const ended = Object.assign(new PassThrough(), { isTTY: true });
  const gone = Object.assign(new PassThrough(), { isTTY: true });
  const answers = Promise.all([askLine({ input: ended }, 'Name: '), askLine({ input: gone }, 'Name: ')]);
  ended.end();
  gone.destroy(Object.assign(new Error('read EIO'), { code: 'EIO' }));
  expect(await answers).toEqual([null, null]);
});
