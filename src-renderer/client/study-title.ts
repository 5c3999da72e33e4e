import type { ListedStudy } from '../../src-shared/contract/imaging.ts';

type Named = Pick<ListedStudy, 'modality' | 'body_part' | 'study_description'>;

/** What a study is called: its description, or else the part of the body; `fallback` where it says neither. */
export function studyTitle({ modality, body_part, study_description }: Named, fallback: string): string {
  const what = study_description ?? (body_part && readable(body_part));
  // Many devices begin the description with the modality.
  const isSaid = what?.toUpperCase().split(/[^A-Z0-9]/)[0] === modality?.toUpperCase();
  return [isSaid ? null : modality, what].filter(Boolean).join(' ') || fallback;
}

/** Devices write parts of the body in capitals. */
function readable(text: string): string {
  return text === text.toUpperCase() ? text.charAt(0) + text.slice(1).toLowerCase() : text;
}
