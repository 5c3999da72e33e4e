import { describe, expect, it } from 'vitest';
import { commandOf } from './use-viewer-keys.ts';

const press = (key: string, more: Partial<{ ctrlKey: boolean; metaKey: boolean; altKey: boolean }> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});
const FREE = { typing: false, elsewhere: false };

describe('keys', () => {
  it('turns pages, zooms and finds', () => {
    expect(['PageDown', '+', '=', '-', '0', 'f', '/'].map((key) => commandOf(press(key), FREE))).toEqual([
      'next_page',
      'zoom_in',
      'zoom_in',
      'zoom_out',
      'fit_width',
      'find',
      'find',
    ]);
  });
  it('ignores letters while typing, but searches with the modifier', () => {
    expect(commandOf(press('f'), { typing: true, elsewhere: true })).toBeNull();
    expect(commandOf(press('f', { ctrlKey: true }), { typing: true, elsewhere: true })).toBe('find');
  });
  it('leaves scroll keys to the focused element and zoom keys with modifier to the browser', () => {
    expect(commandOf(press('PageDown'), { typing: false, elsewhere: true })).toBeNull();
    expect(commandOf(press('+', { ctrlKey: true }), FREE)).toBeNull();
  });
});
