import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOCUMENT_TYPES, SECTION_TYPES } from '../../src-shared/medical/document-type.ts';
import { vocabulary, type Cue } from '../../src-main/features/ask/question/vocabulary.ts';

// What the compiler cannot name after a type was added: texts in which the types are listed.
const promptOf = (name: string): string =>
  readFileSync(new URL(`../../resources/prompts/${name}.md`, import.meta.url), 'utf8');

it('the prompt for the type of a document explains each type', () => {
  const explained = [...promptOf('classification').matchAll(/^- ([a-z_]+): \S/gm)].map(([, type]) => type);
  expect(explained.sort()).toEqual([...DOCUMENT_TYPES].sort());
});

it('the prompt for the parts of a long document lists each kind', () => {
  const [, listed = ''] = /one kind: ([a-z_, ]+)\./.exec(promptOf('page_classification')) ?? [];
  expect(listed.split(', ').sort()).toEqual([...SECTION_TYPES].sort());
});

it('questions can ask for documents of each type', () => {
  // What is none of the others has no name of its own.
  const named = DOCUMENT_TYPES.filter((type) => type !== 'other');
  expect(DOCUMENT_TYPES.filter((type) => vocabulary().cues.has(`type:${type}` satisfies Cue))).toEqual(named);
});
