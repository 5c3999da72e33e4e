import type { Found } from '../extraction.ts';
import { fold } from '../fold.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout } from '../layout/layout.ts';
import type { PartyPair } from './parties.ts';

/** Medical specialties as printed, in English, German, French and Italian. Data. */
const SPECIALTIES: Record<string, readonly string[]> = {
  cardiology: ['cardiology', 'kardiologie', 'cardiologie', 'cardiologia'],
  neurology: ['neurology', 'neurologie', 'neurologia'],
  dermatology: [
    'dermatology',
    'dermatologie',
    'dermatologia',
    'dermatologie und venerologie',
    'dermatologia e venereologia',
  ],
  pneumology: ['pneumology', 'pulmonology', 'respiratory medicine', 'pneumologie', 'pneumologia', 'lungenheilkunde'],
  radiology: [
    'radiology',
    'diagnostic radiology',
    'radiologie',
    'radiologia',
    'imagerie médicale',
    'diagnostische radiologie',
  ],
  orthopaedics: [
    'orthopaedics',
    'orthopedics',
    'orthopaedic surgery',
    'orthopedic surgery',
    'orthopädie',
    'orthopädie und traumatologie',
    'orthopädische chirurgie',
    'orthopédie',
    'orthopedie',
    'ortopedia',
    'ortopedia e traumatologia',
    'chirurgie orthopédique',
    'trauma and orthopaedics',
  ],
  gastroenterology: [
    'gastroenterology',
    'gastroenterologie',
    'gastro entérologie',
    'gastroenterologia',
    'gastroentérologie',
    'gastroenterologie und hepatologie',
  ],
  endocrinology: [
    'endocrinology',
    'endokrinologie',
    'endocrinologie',
    'endocrinologia',
    'diabetology',
    'diabetologie',
    'diabétologie',
    'diabetologia',
    'endokrinologie und diabetologie',
  ],
  ophthalmology: [
    'ophthalmology',
    'augenheilkunde',
    'ophthalmologie',
    'oculistica',
    'oftalmologia',
    'ophtalmologie',
    'augenklinik',
  ],
  ent: [
    'ear nose and throat',
    'ent',
    'otolaryngology',
    'orl',
    'hno',
    'hals nasen ohren heilkunde',
    'oto rhino laryngologie',
    'otorinolaringoiatria',
    'otorhinolaryngologie',
  ],
  gynaecology: [
    'gynaecology',
    'gynecology',
    'obstetrics and gynaecology',
    'obstetrics and gynecology',
    'gynäkologie',
    'gynäkologie und geburtshilfe',
    'gynécologie',
    'gynécologie obstétrique',
    'ginecologia',
    'ginecologia e ostetricia',
    'frauenheilkunde',
    'frauenklinik',
  ],
  urology: ['urology', 'urologie', 'urologia'],
  nephrology: ['nephrology', 'nephrologie', 'néphrologie', 'nefrologia'],
  rheumatology: ['rheumatology', 'rheumatologie', 'rhumatologie', 'reumatologia'],
  oncology: ['oncology', 'medical oncology', 'onkologie', 'oncologie', 'oncologia'],
  haematology: ['haematology clinic', 'hämatologie und onkologie'],
  psychiatry: ['psychiatry', 'psychiatrie', 'psychiatria', 'psychiatrie und psychotherapie'],
  paediatrics: [
    'paediatrics',
    'pediatrics',
    'pädiatrie',
    'kinderheilkunde',
    'kinder und jugendmedizin',
    'pédiatrie',
    'pediatria',
  ],
  surgery: [
    'general surgery',
    'surgery department',
    'allgemeinchirurgie',
    'viszeralchirurgie',
    'chirurgie viscérale',
    'chirurgia generale',
    'chirurgie générale',
    'neurochirurgie',
    'neurosurgery',
    'neurochirurgia',
    'gefässchirurgie',
    'vascular surgery',
    'chirurgie vasculaire',
    'herzchirurgie',
    'handchirurgie',
    'hand surgery',
  ],
  'internal medicine': [
    'internal medicine',
    'general internal medicine',
    'innere medizin',
    'allgemeine innere medizin',
    'médecine interne',
    'médecine interne générale',
    'medicina interna',
  ],
  'general practice': [
    'general practice',
    'family medicine',
    'allgemeinmedizin',
    'hausarztmedizin',
    'médecine générale',
    'médecine de famille',
    'medicina generale',
    'medicina di famiglia',
  ],
  allergology: [
    'allergology',
    'allergy and immunology',
    'allergologie',
    'allergologie und immunologie',
    'allergologia',
  ],
  angiology: ['angiology', 'angiologie', 'angiologia'],
  'physical medicine': [
    'physical medicine and rehabilitation',
    'rehabilitation medicine',
    'physiotherapy',
    'physikalische medizin',
    'rehabilitation',
    'médecine physique',
    'fisiatria',
    'physiotherapie',
    'fisioterapia',
  ],
  'infectious diseases': [
    'infectious diseases',
    'infektiologie',
    'maladies infectieuses',
    'infettivologia',
    'malattie infettive',
  ],
  dentistry: ['dentistry', 'zahnmedizin', 'médecine dentaire', 'odontoiatria'],
  'nuclear medicine': ['nuclear medicine', 'nuklearmedizin', 'médecine nucléaire', 'medicina nucleare'],
  anaesthesiology: ['anaesthesiology', 'anesthesiology', 'anästhesiologie', 'anesthésiologie', 'anestesiologia'],
  'emergency medicine': [
    'emergency medicine',
    'emergency department',
    'notfallmedizin',
    'notfallstation',
    'service des urgences',
    'pronto soccorso',
    'médecine d urgence',
  ],
};
const findSpecialties = createPhraseFinder(SPECIALTIES);

/** A specialty stands in the letterhead, behind a label, or under the signature, in a segment of its own. */
const HEAD_SHARE = 0.3;

export function readSpecialty(layout: Layout, pairs: readonly PartyPair[]): Found<string> | null {
  const labelled = pairs.find(
    (pair) =>
      pair.role === 'specialty' && pair.text.split(' ').length <= 6 && findSpecialties(tokensOf(pair.words)).length > 0,
  );
  if (labelled)
    return {
      value: labelled.text.replace(/[,;.]+$/, ''),
      confidence: 0.95 * labelled.confidence,
      place: labelled.place,
      label: labelled.label,
    };
  const first = layout.pages[0];
  if (!first) return null;
  const candidates = first.lines.flatMap((line) =>
    line.segments.flatMap((segment) => {
      const tokens = tokensOf(segment.words);
      const match = findSpecialties(tokens)[0];
      if (!match) return [];
      const words = segment.words.slice(tokens[match.from]?.word ?? 0, (tokens[match.to - 1]?.word ?? 0) + 1);
      const alone = segment.words.length - words.length;
      if (alone > 5 || fold(segment.text).split(' ').length > 8) return [];
      const score =
        (line.y < HEAD_SHARE ? 2 : 0) +
        (alone === 0 ? 2 : 1 / alone) +
        (/facharzt|fachärztin|specialist|spécialiste|consultant|specialista|klinik|department|abteilung|service|reparto/iu.test(
          segment.text,
        )
          ? 1
          : 0) -
        line.y;
      return [{ score, words, page: line.page }];
    }),
  );
  const best = candidates.sort((a, b) => b.score - a.score)[0];
  if (!best || best.score < 1.2) return null;
  return {
    value: best.words
      .map((word) => word.text)
      .join(' ')
      .replace(/[,;.:]+$/, ''),
    confidence: confidenceOf(best.words) * Math.min(0.95, 0.55 + best.score / 8),
    place: placeOf(best.page, best.words),
  };
}
