import { expect, it } from 'vitest';
import { strengthOf } from './password.ts';

it('calls short passwords too short and long phrases strong', () => {
  expect(strengthOf('short', [])).toBe(0);
  expect(strengthOf('aaaaaaaaaaaa', [])).toBe(1);
  expect(strengthOf('elenakeller1', ['Elena'])).toBe(1);
  expect(strengthOf('correct horse battery staple', [])).toBe(4);
  expect(strengthOf('plumtreebarn', [])).toBe(2);
});
