import type { CoreLanguage } from '../../../src-shared/contract/core-languages.ts';
import type { Input } from '../../../src-shared/contract/endpoint.ts';
import type { imaging as contract } from '../../../src-shared/contract/imaging.ts';

/** What the text on a disc tells. */
export interface ReadmeFacts {
  files: readonly unknown[];
  /** De-identified pictures that may show names in their pixels. */
  annotated: number;
  /** Reports that a de-identified disc leaves out. */
  telling: number;
  /** Objects that could not be read. */
  unreadable: number;
  options: Input<typeof contract.exportStudies>['query'];
}

interface Words {
  intro: string;
  opening: string;
  deidentified: string;
  dates: Record<'remove' | 'shift' | 'keep', string>;
  descriptions: string;
  device: string;
  patient: string;
  files: (count: number) => string;
  annotated: (count: number) => string;
  telling: (count: number) => string;
  unreadable: (count: number) => string;
}

const WORDS: Record<CoreLanguage, Words> = {
  en: {
    intro: 'Medical images, exported by Hearth.',
    opening:
      'Open the file DICOMDIR, or this folder, with a viewer for DICOM images. There is no program on this disc.',
    deidentified:
      'The images were de-identified by the Basic Application Level Confidentiality Profile of DICOM PS3.15: names, ' +
      'numbers, private elements and identifiers were removed or replaced.',
    dates: {
      remove: 'Dates and times were removed.',
      shift: 'Dates were moved, all by the same number of days.',
      keep: 'Dates and times were kept.',
    },
    descriptions: 'Descriptions were kept without names and long numbers.',
    device: 'Names and numbers of devices were kept.',
    patient: 'Sex, age, height, weight and the like were kept.',
    files: (count) => `Number of DICOM objects: ${count}.`,
    annotated: (count) =>
      `Look at the pictures before you pass them on: ${count} may show names in the picture itself, which were not ` +
      'removed.',
    telling: (count) => `Reports were left out, because their text may name people: ${count}.`,
    unreadable: (count) => `Objects that were left out because they are damaged: ${count}.`,
  },
  de: {
    intro: 'Medizinische Bilder, exportiert von Hearth.',
    opening:
      'Öffnen Sie die Datei DICOMDIR oder diesen Ordner mit einem Programm für DICOM-Bilder. Auf diesem Datenträger ' +
      'ist kein Programm.',
    deidentified:
      'Die Bilder wurden nach dem «Basic Application Level Confidentiality Profile» von DICOM PS3.15 anonymisiert: ' +
      'Namen, Nummern, private Elemente und Kennungen wurden entfernt oder ersetzt.',
    dates: {
      remove: 'Daten und Uhrzeiten wurden entfernt.',
      shift: 'Daten wurden verschoben, alle um gleich viele Tage.',
      keep: 'Daten und Uhrzeiten wurden beibehalten.',
    },
    descriptions: 'Beschreibungen wurden ohne Namen und lange Nummern beibehalten.',
    device: 'Namen und Nummern von Geräten wurden beibehalten.',
    patient: 'Geschlecht, Alter, Körperlänge, Gewicht und Ähnliches wurden beibehalten.',
    files: (count) => `Anzahl DICOM-Objekte: ${count}.`,
    annotated: (count) =>
      `Sehen Sie die Bilder an, bevor Sie sie weitergeben: ${count} zeigen vielleicht Namen im Bild selbst, die nicht ` +
      'entfernt wurden.',
    telling: (count) => `Befunde wurden weggelassen, weil ihr Text Personen nennen kann: ${count}.`,
    unreadable: (count) => `Weggelassen, weil beschädigt: ${count}.`,
  },
};

/** The README of a disc, in the language of whoever exports it. */
export function exportReadme(
  { files, annotated, telling, unreadable, options }: ReadmeFacts,
  language: CoreLanguage,
): string {
  const words = WORDS[language];
  const kept = [
    words.deidentified,
    words.dates[options.dates],
    ...(options.keep_descriptions ? [words.descriptions] : []),
    ...(options.keep_device ? [words.device] : []),
    ...(options.keep_patient ? [words.patient] : []),
  ];
  const lines = [
    ...[words.intro, words.opening, ''],
    ...(options.deidentify ? [...kept, ''] : []),
    words.files(files.length),
    ...(annotated > 0 ? [words.annotated(annotated)] : []),
    ...(telling > 0 ? [words.telling(telling)] : []),
    ...(unreadable > 0 ? [words.unreadable(unreadable)] : []),
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}
