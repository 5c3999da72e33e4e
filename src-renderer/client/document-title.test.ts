import type { CoreLanguage } from '../../src-shared/contract/core-languages.ts';
import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import {
  documentCaption,
  documentTitle,
  shownFileName,
  waitingName,
  type TitleFacts,
} from '../../src-shared/medical/document-title.ts';
import { loadMessages } from '../locales/index.ts';
import { formatsOf } from '../ui/format/formats.ts';
import { titleWords } from './document-title.ts';

const i18n = i18next.createInstance();
await i18n.init({
  resources: { en: await loadMessages('en'), de: await loadMessages('de') } as never,
  lng: 'en',
  interpolation: { escapeValue: false },
});
const wordsIn = (language: CoreLanguage) =>
  titleWords(
    i18n.getFixedT(language, 'app'),
    formatsOf(language === 'en' ? 'en-GB' : 'de-CH', () => 2026),
  );

const FACTS: TitleFacts = {
  title: null,
  doc_type: 'lab_test',
  facility_name: 'Synlabor AG',
  doctor_name: null,
  specialty_display: null,
  event_date: '2026-11-12',
  original_filename: 'scan.pdf',
  highlights: {
    results: 14,
    in_range: 10,
    out_of_range: 3,
    doubtful: 1,
    subjects: [],
    more: 0,
    stay: null,
    total: null,
  },
};
const inBoth = (more: Partial<TitleFacts>, noted: Partial<NonNullable<TitleFacts['highlights']>> = {}): string[] => {
  const facts = { ...FACTS, ...more, highlights: { ...FACTS.highlights!, ...noted } };
  return (['en', 'de'] as const).map((language) =>
    [documentTitle(facts, wordsIn(language)), documentCaption(facts, wordsIn(language))].join(' | '),
  );
};

describe('titles', () => {
  it('are worded in the language of the reader', () => {
    expect(inBoth({})).toEqual([
      'Lab report · Synlabor | 3 out of range, 1 to check',
      'Laborbefund · Synlabor | 3 auffällig, 1 zu prüfen',
    ]);
    expect(inBoth({}, { in_range: 14, out_of_range: 0, doubtful: 0 })).toEqual([
      'Lab report · Synlabor | All 14 in range',
      'Laborbefund · Synlabor | Alle 14 unauffällig',
    ]);
  });
  it('have dates and amounts as the language writes them', () => {
    const nothing = { results: 0, in_range: 0, out_of_range: 0, doubtful: 0 };
    expect(inBoth({ doc_type: null, facility_name: null }, nothing)).toEqual([
      'Document of 12 Nov 2026 | ',
      'Dokument vom 12. Nov. 2026 | ',
    ]);
    const stay = { from: '2026-10-12', to: '2026-10-21' };
    expect(inBoth({ doc_type: 'discharge', facility_name: 'Klinik Sonnenhalde' }, { ...nothing, stay })).toEqual([
      'Discharge summary · Klinik Sonnenhalde | 12–21 Oct',
      'Austrittsbericht · Klinik Sonnenhalde | 12.–21. Okt.',
    ]);
    const total = { amount: 1214.6, currency: 'CHF' };
    expect(inBoth({ doc_type: 'invoice', facility_name: 'Praxis' }, { ...nothing, total })[0]).toBe(
      'Invoice · Praxis | 1,214.60\u202fCHF',
    );
  });

  it('of documents that wait for a report say so in the language of the reader', () => {
    const waiting = (...parts: (string | null)[]) =>
      (['en', 'de'] as const).map((language) => shownFileName(waitingName(parts), wordsIn(language)));
    expect(waiting('CT', 'CHEST', '2024-02-29')).toEqual([
      'CT CHEST 29 Feb 2024 (report pending)',
      'CT CHEST 29. Feb. 2024 (Befund ausstehend)',
    ]);
    expect(waiting(null, null, null)).toEqual(['Imaging (report pending)', 'Bildgebung (Befund ausstehend)']);
    expect(shownFileName('CT (report pending).pdf', wordsIn('de'))).toBe('CT (report pending).pdf');
  });
});
