import { fullName, parsePersonName, type PersonName } from '../../../../src-shared/medical/person-name.ts';
import { foldLetters } from '../fold.ts';
import { confidenceOf, placeOf } from '../layout/geometry.ts';
import type { Layout } from '../layout/layout.ts';
import type { Line } from '../layout/lines.ts';
import type { FoundPatient, KnownPatient, ReaderContext } from '../extraction.ts';
import { childrenOf } from './children.ts';
import { birthAmong, type Dates } from './dates.ts';
import { findKnownNames, matchKnown, similarityOfNames } from './known-names.ts';
import { namesByBirth } from './names-by-birth.ts';
import { isOnlyLabel, type PartyPair } from './parties.ts';
import { otherPatients, type Candidate } from './other-patients.ts';
import { ownBirths } from './own-birth.ts';
import {
  AFTER_NAME,
  BEFORE_AGE,
  BORN,
  CARE_OF,
  CERTIFIED,
  CHILD_AFTER,
  DOCTOR_AFTER,
  FAMILY_BEFORE_BIRTH,
  INSURED,
  IN_SENTENCE,
  NAME_BROKEN,
  NEWBORN,
  RELATIVE_AFTER,
  SALUTED,
  TITLED,
  isHouse,
  isTitledBefore,
  nameIn,
  withCapitalI,
} from './patient-print.ts';
import { readSex } from './sex.ts';

/**
 * Finds the person the document is about: labeled ("Patient:", "Name, Vorname"), addressed beside a birth date ("Frau
 * Elena Keller, geb. 12.3.1980"), or a household member named anywhere. `dates` has the birth dates on the pages.
 */
export function readPatient(
  layout: Layout,
  pairs: readonly PartyPair[],
  { all }: Pick<Dates, 'all'>,
  context: ReaderContext,
): FoundPatient {
  const birth = birthAmong(ownBirths(pairs, all));
  const candidates = [
    ...labelled(pairs),
    ...splitFields(pairs),
    ...wholeNames(pairs),
    ...namesOverTwoLines(layout, pairs),
    ...saluted(layout),
    ...inSentences(layout),
    ...namesByBirth(layout, all),
  ];
  const household =
    context.patient && !context.household.some((h) => h.id === context.patient?.id)
      ? [...context.household, context.patient]
      : context.household;
  const born = birth?.value ?? null;
  const exactPages = new Set(layout.pages.flatMap(({ page, source }) => (source === 'text_layer' ? [page] : [])));
  const matchOf: MatchOf = ({ name, place }, known) =>
    matchKnown(name, born, known, exactPages.has(place.page) ? 'exact' : 'scanned');
  const knownNames = findKnownNames(layout, household, born);
  for (const k of knownNames) {
    const name = parsePersonName(k.patient.display_name);
    const named = candidates.some((c) => matchOf(c, [k.patient]));
    if (name)
      candidates.push({
        name,
        score: (named ? 0.95 : 0.6) * k.similarity,
        place: placeOf(k.line.page, k.words),
        ocr: 1,
        isKnown: true,
      });
  }
  const own = withoutOthers(withChildren(candidates, childrenOf(layout, candidates, household)), pairs);
  const best = strongest(own, household, matchOf);
  const match = best ? matchOf(best, household) : matchKnown(null, born, household);
  const part = best ? null : partOfName(pairs);
  return {
    name: best
      ? {
          value: printedName(best, match?.patient),
          confidence: best.score * best.ocr,
          place: best.place,
          ...(best.label ? { label: best.label } : {}),
        }
      : null,
    ...(best && exactPages.has(best.place.page) && { is_exact: true }),
    ...(part !== null && { name_part: part }),
    date_of_birth: birth,
    sex: readSex(layout, pairs, best?.name ?? null),
    match: match ? { id: match.patient.id, confidence: match.confidence } : null,
    others: best ? otherPatients(best, own, all, household) : [],
  };
}

/** The household member with the name of a candidate, and the birth date of the pages. */
type MatchOf = (candidate: Candidate, household: readonly KnownPatient[]) => ReturnType<typeof matchKnown>;

/** The name in the address is the parent's on a paper about "your son Marco". */
function withChildren(candidates: readonly Candidate[], children: readonly Candidate[]): Candidate[] {
  const isAddressee = ({ name, label }: Candidate): boolean =>
    label === undefined && children.length > 0 && !children.some((child) => isSameName(child.name, name));
  return [...candidates.map((one) => (isAddressee(one) ? { ...one, score: 0.5 * one.score } : one)), ...children];
}

/** What a field for the patient's name shows without being a whole name. */
function partOfName(pairs: readonly PartyPair[]): string | null {
  const texts = pairs.flatMap((pair) =>
    (pair.role === 'patient' || pair.role === 'family_name') && !isOnlyLabel(pair)
      ? [pair.text.replace(AFTER_NAME, '').trim()]
      : [],
  );
  return texts.find((text) => /^\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){0,2}$/u.test(text)) ?? null;
}

const isSameName = (a: PersonName, b: PersonName): boolean => similarityOfNames(fullName(a), fullName(b)) > 0;

/** Without parents, guardians and next of kin, and with less for the insured person if somebody else was treated. */
function withoutOthers(candidates: Candidate[], pairs: readonly PartyPair[]): Candidate[] {
  const relatives = pairs.flatMap((pair) =>
    pair.role === 'relative' ? (nameIn(withCapitalI(pair.text.replace(AFTER_NAME, ''))) ?? []) : [],
  );
  const staff = pairs.flatMap((pair) =>
    STAFF.has(pair.role) && !IS_SALUTED.test(pair.text) ? (nameIn(withoutDegrees(pair.text)) ?? []) : [],
  );
  const own = candidates.filter(
    ({ name, label }) =>
      !relatives.some((relative) => isSameName(relative, name)) &&
      (label !== undefined || !staff.some((doctor) => isSameName(doctor, name))),
  );
  const insured = pairs.flatMap((pair) =>
    INSURED.test(foldLetters(pair.label)) ? (nameIn(withCapitalI(pair.text.replace(AFTER_NAME, ''))) ?? []) : [],
  );
  const isInsured = ({ name, label }: Candidate): boolean =>
    label === undefined ? insured.some((one) => isSameName(one, name)) : INSURED.test(foldLetters(label));
  return own.map((candidate) =>
    isInsured(candidate) &&
    own.some((other) => !isInsured(other) && other.score >= MIN_TREATED && !isSameName(other.name, candidate.name))
      ? { ...candidate, score: 0.5 * candidate.score }
      : candidate,
  );
}
/** "Radiologues :" beside "Monsieur Thibault Escoffier": the next column begins with the patient. */
const IS_SALUTED = /^(?:Monsieur|Madame|Mme|Mlle|Herrn?|Frau|Sig\.?(?:ra)?|Signora?) \p{Lu}/u;
/** British surgeons are called "Mr" like their patients. */
const STAFF = new Set<PartyPair['role']>(['surgeon', 'assistant', 'author', 'ordering', 'treating']);
const withoutDegrees = (text: string): string => text.replace(/[,\s]+(?:\p{Lu}{2,}\w*|M\.?D\.?)(?:\s.*)?$/u, '');

/** A candidate with this score was found by more than a salutation. */
const MIN_TREATED = 0.7;

/** The strongest candidate; a household name elsewhere on the page does not displace a labeled stranger. */
function strongest(
  candidates: Candidate[],
  household: readonly KnownPatient[],
  matchOf: MatchOf,
): Candidate | undefined {
  const weight = (c: Candidate): number =>
    c.score +
    0.12 * Math.min(3, candidates.filter((o) => fullName(o.name) === fullName(c.name)).length - 1) +
    (matchOf(c, household) ? 0.1 : 0);
  return [...candidates].sort((a, b) => weight(b) - weight(a))[0];
}

/**
 * Uses the household's spelling for the same person, because it has no OCR errors, and the printed name for anyone
 * else.
 */
function printedName(candidate: Candidate, patient: KnownPatient | undefined): string {
  const householdName = patient ? parsePersonName(patient.display_name) : null;
  return householdName && householdName.given.split(' ').length <= candidate.name.given.split(' ').length
    ? fullName(householdName)
    : fullName(candidate.name);
}

function labelled(pairs: readonly PartyPair[]): Candidate[] {
  return pairs.flatMap((pair): Candidate[] => {
    if (pair.role !== 'patient' && pair.role !== 'given_name') return [];
    if (isOnlyLabel(pair) || NEWBORN.test(pair.text) || /\b(?:dr|prof|dott|pd)\b/i.test(foldLetters(pair.text)))
      return [];
    const name = nameIn(withCapitalI(pair.text.replace(AFTER_NAME, '')));
    if (!name) return [];
    const familyFirst =
      /^(?:name|nachname|nom|cognome|surname|last)\W+(?:und |et |e |and |\/|, ?)?\s*(?:vorname|prenoms?|nome|given|first|forename)/.test(
        foldLetters(pair.label),
      );
    const exact =
      /patient|pazient|vorname|prenom|cognome|versicherte|assur|assicur|insured|full name|soins|soigne|behandel|behandlung|treated/.test(
        foldLetters(pair.label),
      );
    const score =
      (exact ? 0.97 : 0.78) *
      (pair.hasColon ? 1 : 0.85) *
      (pair.how === 'below' ? 0.9 : 1) *
      (pair.role === 'given_name' ? 0.8 : 1);
    return [
      {
        name: familyFirst && !name.isCertain ? swap(pair.text.replace(AFTER_NAME, ''), name) : name,
        score,
        place: pair.place,
        label: pair.label,
        ocr: pair.confidence,
      },
    ];
  });
}

/** "Keller Elena" under "Name, Vorname". */
function swap(text: string, name: PersonName): PersonName {
  const words = fullName(name).split(' ');
  if (text.includes(',')) return name;
  return { family: words.slice(0, -1).join(' '), given: words.at(-1) ?? '', isCertain: true };
}

/** Fields of one form are at most this far apart, as a fraction of the page height. */
const SAME_FORM_HEIGHT = 0.05;
const BIRTH_NAME = /naissance|birth|geburt|nascita|jeune fille|maiden/;
const FAMILY_THEN_GIVEN = new RegExp(
  [
    String.raw`^(?:name|nachname|nom|cognome|surname|last|family)\W+(?:name )?(?:und |et |e |and )?\s*`,
    String.raw`(?:vorname|prenom|nome|given|first|forename)`,
  ].join(''),
);

/** "Name: Keller" and "Vorname: Elena" near each other. */
function splitFields(pairs: readonly PartyPair[]): Candidate[] {
  const bare = (pair: PartyPair): string => pair.text.replace(AFTER_NAME, '').trim();
  const isNamePart = (pair: PartyPair): boolean =>
    /^\p{Lu}[\p{L}' -]+$/u.test(bare(pair)) && bare(pair).split(' ').length <= 2;
  const givens = pairs.filter((p) => p.role === 'given_name' && isNamePart(p));
  const families = pairs.filter(
    (p) =>
      (p.role === 'family_name' ||
        p.role === 'given_name' ||
        (p.role === 'patient' && /^(?:name|patient(?:in)?)$/.test(foldLetters(p.label)))) &&
      isNamePart(p),
  );
  return givens.flatMap((given) =>
    families
      .filter(
        (f) =>
          f !== given && f.label !== given.label && f.page === given.page && Math.abs(f.y - given.y) < SAME_FORM_HEIGHT,
      )
      .slice(0, 1)
      .flatMap((family): Candidate[] => {
        const name = parsePersonName(`${bare(family)}, ${bare(given)}`);
        return name
          ? [
              {
                name,
                score: 0.95,
                place: family.place,
                label: family.label,
                ocr: Math.min(given.confidence, family.confidence),
              },
            ]
          : [];
      }),
  );
}

/** "Nom: KELLER Anna" without a given name beside it is a whole name, family name first. */
function wholeNames(pairs: readonly PartyPair[]): Candidate[] {
  const isBesideGiven = (pair: PartyPair): boolean =>
    pairs.some(
      (other) =>
        other !== pair &&
        other.role === 'given_name' &&
        other.page === pair.page &&
        Math.abs(other.y - pair.y) < SAME_FORM_HEIGHT,
    );
  return pairs.flatMap((pair): Candidate[] => {
    if (pair.role !== 'family_name' || BIRTH_NAME.test(foldLetters(pair.label)) || isBesideGiven(pair)) return [];
    const text = pair.text.replace(AFTER_NAME, '');
    const name = TITLED.test(text) ? null : nameIn(text);
    if (!name) return [];
    return [
      {
        name: name.isCertain ? name : swap(text, name),
        score: pair.hasColon ? 0.9 : 0.75,
        place: pair.place,
        label: pair.label,
        ocr: pair.confidence,
      },
    ];
  });
}

/** "Name, Vorname" above "Keller", and "Anna" on the next line. */
function namesOverTwoLines(layout: Layout, pairs: readonly PartyPair[]): Candidate[] {
  return pairs.flatMap((pair): Candidate[] => {
    if (pair.role !== 'patient' || !FAMILY_THEN_GIVEN.test(foldLetters(pair.label))) return [];
    const lines = layout.pages.find(({ page }) => page === pair.page)?.lines ?? [];
    const at = lines.findIndex(({ segments }) => segments.some(({ text }) => text.startsWith(pair.label)));
    const label = lines[at]?.segments.find(({ text }) => text.startsWith(pair.label));
    const [family, given] = [1, 2].map((below) =>
      lines[at + below]?.segments.find(({ bbox }) => label && Math.abs(bbox[0] - label.bbox[0]) < 0.02),
    );
    const isOneName = family?.words.length === 1 && given?.text.replace(AFTER_NAME, '').split(' ').length === 1;
    const name = isOneName ? parsePersonName(`${family.text}, ${given.text.replace(AFTER_NAME, '')}`) : null;
    if (!name || !family || !given) return [];
    const words = [...family.words, ...given.words];
    return [{ name, score: 0.9, place: placeOf(pair.page, words), label: pair.label, ocr: confidenceOf(words) }];
  });
}

function saluted(layout: Layout): Candidate[] {
  return layout.lines.flatMap((line, i) =>
    line.segments
      .flatMap((segment) =>
        [...segment.text.matchAll(SALUTED)].flatMap((match): Candidate[] => {
          const after = segment.text.slice(match.index + match[0].length);
          const name = match[1] ? parsePersonName(match[1].replace(AFTER_NAME, '')) : null;
          if (!name || isHouse(match[1] ?? '') || TITLED.test(match[1] ?? '')) return [];
          if (DOCTOR_AFTER.test(match[0]) || DOCTOR_AFTER.test(after.slice(0, 20))) return [];
          if (RELATIVE_AFTER.test(after) || CARE_OF.test(segment.text.slice(0, match.index))) return [];
          const near = BORN.test(line.text) || isBornFirst(layout.lines[i + 1]?.text ?? '');
          return [
            {
              name,
              score: near ? 0.93 : 0.62,
              place: placeOf(line.page, segment.words),
              ocr: confidenceOf(segment.words),
            },
          ];
        }),
      )
      .concat(addressed(line, layout.lines[i + 1]), brokenName(line, layout.lines[i + 1])),
  );
}

/** Whether a line below a name has its birth date, and not that of another name before it. */
const isBornFirst = (text: string): boolean => {
  const born = BORN.exec(text);
  return born !== null && !/\p{Lu}[\p{L}'’-]+ \p{Lu}[\p{L}'’-]+/u.test(text.slice(0, born.index));
};

/** "… Madame Bernadette" at the end of a line and "Coquelin, née le …" at the start of the next. */
function brokenName(line: Line, next: Line | undefined): Candidate[] {
  const given = NAME_BROKEN.exec(line.segments.at(-1)?.text ?? '')?.[1];
  const under = next?.segments[0];
  const family = FAMILY_BEFORE_BIRTH.exec(under?.text ?? '')?.[1];
  const name = given && family ? parsePersonName(`${given} ${family}`) : null;
  if (!name || !under || !next) return [];
  return [{ name, score: 0.9, place: placeOf(next.page, under.words), ocr: confidenceOf(under.words) }];
}

/** "Frau" alone above "Elena Keller" begins an address. */
function addressed(line: Line, next: Line | undefined): Candidate[] {
  return line.segments.flatMap((segment): Candidate[] => {
    if (
      !next ||
      !/^(?:herrn?|frau|mr|mrs|ms|madame|monsieur|mme|signora?|gentile|egregio|sig\.?(?:ra)?)\.?$/i.test(
        segment.text.trim(),
      )
    )
      return [];
    const under = next.segments.find((s) => Math.abs(s.bbox[0] - segment.bbox[0]) < 0.02);
    const name = under ? parsePersonName(under.text) : null;
    return under && name
      ? [{ name, score: 0.6, place: placeOf(next.page, under.words), ocr: confidenceOf(under.words) }]
      : [];
  });
}

/** "Michael Osei today, a 47-year-old man", and "Elena Keller, born" in a sentence. */
function inSentences(layout: Layout): Candidate[] {
  return layout.lines.flatMap((line) =>
    line.segments.flatMap((segment): Candidate[] => {
      const text = segment.text.replace(CHILD_AFTER, '');
      if (NEWBORN.test(text)) return [];
      const [place, ocr] = [placeOf(line.page, segment.words), confidenceOf(segment.words)];
      const sentence = nameIn(IN_SENTENCE.exec(text)?.[1] ?? BEFORE_AGE.exec(text)?.[1] ?? '');
      if (sentence && !isTitledBefore(segment.text, sentence.given))
        return [{ name: sentence, score: 0.9, place, ocr }];
      const [, subject, object] = CERTIFIED.exec(text) ?? [];
      const certified = nameIn(subject ?? object ?? '');
      return certified && !isHouse(fullName(certified)) ? [{ name: certified, score: 0.7, place, ocr }] : [];
    }),
  );
}
