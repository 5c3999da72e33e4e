import type { ListedStudy } from '../../src-shared/contract/imaging.ts';

type Named = Pick<ListedStudy, 'modality' | 'body_part' | 'study_description'>;

/** How descriptions in five languages begin that say what a code of DICOM says, without accents. */
const SAID_AS: Readonly<Record<string, readonly string[]>> = {
  MR: ['MRI', 'MRT', 'IRM', 'RM', 'RMN', 'RMI'],
  CT: ['TC', 'TDM', 'TAC', 'SCANNER'],
  US: ['SONO', 'SONOGRAPHIE', 'SONOGRAFIE', 'ULTRASCHALL', 'ULTRASOUND', 'ECHOGRAPHIE', 'ECOGRAFIA', 'ECHO'],
  PT: ['PET', 'TEP'],
  MG: ['MAMMOGRAPHIE', 'MAMMOGRAFIE', 'MAMMOGRAPHY', 'MAMMOGRAFIA'],
  CR: ['RX', 'RONTGEN', 'RADIOGRAPHIE', 'RADIOGRAFIA', 'RADIOGRAPH', 'X'],
  DX: ['RX', 'RONTGEN', 'RADIOGRAPHIE', 'RADIOGRAFIA', 'RADIOGRAPH', 'X'],
};

/** What a study is called: its description, or else the part of the body; `fallback` where it says neither. */
export function studyTitle({ modality, body_part, study_description }: Named, fallback: string): string {
  const what = study_description ?? (body_part && readable(body_part));
  // Many devices begin the description with the modality, in their language.
  const code = modality?.toUpperCase() ?? '';
  const [first = ''] = (what ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]/);
  const isSaid = first === code || SAID_AS[code]?.includes(first);
  return [isSaid ? null : modality, what].filter(Boolean).join(' ') || fallback;
}

/** Devices write parts of the body in capitals. */
function readable(text: string): string {
  return text === text.toUpperCase() ? text.charAt(0) + text.slice(1).toLowerCase() : text;
}
