import type { DocumentType } from '../../../../src-shared/medical/document-type.ts';
import { fold } from '../fold.ts';
import { ADDRESS_PRINT, FACILITY_WORDS, INSURER_WORDS, STREET_PRINT } from '../languages/facility-words.ts';
import { tokensOf } from '../languages/phrases.ts';
import { findDoctors } from './doctor-names.ts';
import { DEPARTMENT, DISCIPLINE, isOnlyKind, PAPER_AFTER } from './facility-kinds.ts';
import { findPassageHeadings } from './passages.ts';
import { findPartyLabels } from './parties.ts';

/** Legal forms at the end of company names. */
export const LEGAL_FORM =
  /(?<!\p{L})(?:AG|SA|SAS|SELAS|Sàrl|g?GmbH|GbR|KG|Ltd|LLC|LLP|PLLC|Inc|S\.?r\.?l|S\.?p\.?A)\.?$/u;
/** Whether the whole text is a field label: "Cognome e nome". */
export function isLabel(value: string): boolean {
  const tokens = tokensOf(value.split(' ').map((text) => ({ text, x: 0, y: 0, w: 0, h: 0, confidence: 1 })));
  const labels = findPartyLabels(tokens).filter(({ role }) => role !== 'facility');
  const rest = tokens.filter((_, i) => !labels.some(({ from, to }) => i >= from && i < to));
  return labels[0]?.from === 0 && rest.every(({ text }) => /^(?:bzw|oder|und|or|and|et|ou|e|o)$/.test(text));
}

/** Headings of the parts of a letter or booklet: "Clinical Indication", "CARNET DE SANTÉ". */
export function isHeading(value: string): boolean {
  // "Labor Innviertel" is a house, "Labor" is not.
  const own = nameStrength(value, 'other') > 0 && !isOnlyKind(value) ? 0 : 1;
  const tokens = tokensOf(value.split(' ').map((text) => ({ text, x: 0, y: 0, w: 0, h: 0, confidence: 1 })));
  const heading = findPassageHeadings(tokens)[0];
  return heading?.from === 0 && heading.to >= tokens.length - own;
}

/**
 * How certainly the words name a facility: 0 for no evidence, 5 for a hospital or, in invoices and letters, an insurer.
 */
export function nameStrength(value: string, type: DocumentType): number {
  const folded = ` ${fold(value)}`;
  const words = folded.trim().split(' ').length;
  if (words > 10 || /\d{3}/.test(value)) return 0;
  const has = (list: readonly string[]): boolean =>
    list.some(
      (w) =>
        folded.includes(` ${w}`) ||
        (w.length > 4 && `${folded} `.includes(`${w} `)) ||
        (w.length > 5 && folded.includes(w)),
    );
  if (has(INSURER_WORDS) && type === 'other') return INSURER;
  if (words === 1 && DISCIPLINE.test(folded)) return 0;
  if (BY_APPOINTMENT.test(value) || PRINTED_FROM.test(value)) return 0;
  if (KIND_IN_SENTENCE.test(value) && has(FACILITY_WORDS) && !has(INSURER_WORDS)) return 0;
  if (DEPARTMENT.test(folded.trim()) && isOnlyKind(value)) return DEPARTMENT_ALONE;
  if (has(FACILITY_WORDS) && words === 1) return REMEDY.test(folded) ? 0 : 2.5;
  if (has(FACILITY_WORDS) && isOnlyKind(value)) return KIND_ALONE;
  if (has(FACILITY_WORDS)) return DEPARTMENT.test(folded.trim()) || OWNER.test(folded) ? 3 : 5;
  if (has(INSURER_WORDS)) return type === 'invoice' ? 3 : 0;
  if (LEGAL_FORM.test(value)) return 3;
  if (CONSULTATION_OF_PLACE.test(value)) return BY_DISCIPLINE;
  return NAMED_BY_DISCIPLINE.test(value) && !isOnlyKind(value) ? BY_DISCIPLINE : 0;
}

/** An insurer writes letters, and is printed at the head of the forms that doctors fill in. */
const INSURER = 1.5;
/** "Preuve de prescription à présenter au pharmacien": the last word of a sentence. */
const KIND_IN_SENTENCE = /^\p{Lu}\p{Ll}+(?: \p{Ll}[\p{L}'’]*){5,}\.?$/u;
/** "Ordination nach Vereinbarung", "Consultations sur rendez-vous": when patients are seen. */
const BY_APPOINTMENT =
  /(?:nach (?:tel\p{L}*\.? )?(?:Vereinbarung|Voranmeldung)|sur rendez-vous|by appointment|su appuntamento)/iu;
/** "Impfnachweis (Ausdruck aus der Praxis-EDV)": where a paper was printed, without saying whose house it is. */
const PRINTED_FROM =
  /(?<!\p{L})(?:(?:Praxis|Klinik|Ordinations)-?(?:EDV|Software)|Ausdruck aus|printout from)(?!\p{L})/iu;
/** A department without the name of its house. */
const DEPARTMENT_ALONE = 2;
/** The name of a house without saying which. */
const KIND_ALONE = 3;
/** "Blue Heron Health", "Harbourside Neurology": a name before a discipline. */
const NAMED_BY_DISCIPLINE = new RegExp(
  [
    String.raw`^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2} (?:Health|Care|Wellness|`,
    String.raw`(?<!Prescription |Customer |Emergency )Services?|\p{Lu}\p{L}+olog(?:y|ie|ia))$`,
  ].join(''),
  'u',
);
/** "Consultation d'allergologie du Chablais" */
const CONSULTATION_OF_PLACE =
  /^Consultations? (?:d['’]|de |des )\p{Ll}+ (?:du |de la |de |des |d['’]|à )(?!Dr|Pr|Prof)\p{Lu}[\p{L}'’-]+/u;
const BY_DISCIPLINE = 4;
/** "Médicament" above a column. */
const REMEDY = /^ medi[ck]a(?:ment|tion|zion)/u;

const DAY = String.raw`(?: [\d./-]{6,10})?`;
/** "ausgedruckt von: Praxis …", "Printed 10/09/2025 by …". */
const PRINTED_BY = new RegExp(
  [
    String.raw`^(?:(?:performed|tested|analy[sz]ed|reported) (?:by|at)|`,
    String.raw`(?:ausgedruckt|erstellt|gedruckt|ausgestellt)(?: am)?${DAY} (?:von|durch)|`,
    String.raw`(?:printed|issued|produced|provided)(?: on)?${DAY} by|`,
    String.raw`(?:établi|édité|imprimé)(?: le)?${DAY} par|`,
    String.raw`(?:stampato|rilasciato|prodotto)(?: il)?${DAY} da)\s*:?\s+`,
  ].join(''),
  'iu',
);

/** The public body that owns the houses on its papers. */
const OWNER = new RegExp(
  [
    String.raw`^ (?:part of |teil de[rs] |azienda (?:sanitaria|usl|unita)|servizio sanitario|`,
    String.raw`nhs\b|a?usl\b|asl\b|regione\b)|`,
    String.raw`nhs (?:foundation )?trust$|health board$`,
  ].join(''),
  'u',
);

/** "Walgrove Pharmacy #1120", "Health Center No. 204". */
const NUMBER_OF_HOUSE = /\s+(?:#|N[or°]\.?)\s?\d+$/u;
/** "Wyreford General Hospital, Castle Lane, Wyreford" */
const ROAD_AFTER =
  /,\s(?:\p{Lu}[\p{L}'’]+\s){1,3}(?:Lane|Road|Street|Way|Avenue|Close|Drive|Square|Hill|Terrace)(?:,.*)?$/u;

/** "Larne Lough Family Practice on 03 March 2026 for Dr …" */
const DAY_AFTER = /\s(?:on|am|vom|le|du|il|del|in data)\s\d{1,2}(?:[./ ]|er ).*$/u;

/** "Centro prescrittore: Ospedale Valle Imagna" without its label. */
function withoutLabel(name: string): string {
  const before = name.slice(0, Math.max(0, name.indexOf(': ')));
  const tokens = tokensOf(before.split(' ').map((text) => ({ text, x: 0, y: 0, w: 0, h: 0, confidence: 1 })));
  const [label] = before === '' ? [] : findPartyLabels(tokens);
  const isWhole = label?.role === 'facility' && label.from === 0 && label.to === tokens.length;
  return isWhole ? name.slice(before.length + 2) : name;
}

/** Removes what follows a name in a letterhead; empty if no name remains. */
export function cleanName(part: string): string {
  let name = part
    .replace(/^[\s«»"'·.,:;|*-]+/, '')
    .replace(PRINTED_BY, '')
    .replace(PAPER_AFTER, '')
    .replace(DAY_AFTER, '')
    .replace(NUMBER_OF_HOUSE, '')
    .replace(ROAD_AFTER, '')
    .trim();
  const label = findPartyLabels(tokensOf([{ text: name.split(' ')[0] ?? '' }]))[0];
  if (label && name.split(' ')[0]?.endsWith(':')) name = name.slice(name.indexOf(' ') + 1);
  name = withoutLabel(name);
  for (const print of [ADDRESS_PRINT, STREET_PRINT]) {
    const at = print.exec(name);
    if (at) name = name.slice(0, at.index);
  }
  const parts = name.split(/,\s+/);
  const houses = parts.filter((one) => findDoctors(one).length === 0);
  if (houses.length < parts.length && houses.some((one) => nameStrength(one, 'other') > 0)) name = houses.join(', ');
  name = name.replace(/[\s,;:·|(-]+$/, '').trim();
  return name.replace(/\P{L}/gu, '').length >= 4 ? name : '';
}
