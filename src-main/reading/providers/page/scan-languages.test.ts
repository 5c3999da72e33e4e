import { expect, it } from 'vitest';
import { scanLanguages } from './scan-languages.ts';

it.each([
  ['auto', null],
  ['de', ['de']],
  ['deu+eng', ['de', 'en']],
  ['fr, it', ['fr', 'it']],
  ['de+ger+deu', ['de']],
  ['es', null],
  ['es+it', ['it']],
  ['constructor', null],
])('the setting %s reads %j', (setting, languages) => expect(scanLanguages(setting)).toEqual(languages));
