import { parsePersonName, type PersonName } from '../../../../src-shared/medical/person-name.ts';

/** Text from these words on describes the person and is not part of the name. */
export const AFTER_NAME = new RegExp(
  [
    String.raw`\s*(?:[,;(–|]\s*|\s-\s*|\s)(?:geb|geboren|born|b\.|dob|d\.o\.b|n[ée]e?(?:\(e\))? (?:le|\p{Lu})|nat[oa]|`,
    String.raw`\*(?=\s*\d{1,2}[./-])|\d|m\b|f\b|w\b|geschlecht|sex|sesso|age|jg\.?|ahv|date|geburtsdatum|`,
    String.raw`versicherten|pid|nhs|mrn|id\b|m[äa]nnlich|weiblich|male|female|masculin|f[ée]minin|maschio|`,
    String.raw`femmina).*$`,
  ].join(''),
  'iu',
);
export const SALUTED = new RegExp(
  [
    String.raw`(?:^|\s)(?:[Hh]errn?|[Ff]rau|Mr|Mrs|Ms|Miss|Mme|Mlle|[Mm]adame|[Mm]onsieur|[Ss]ig(?:\.?\s?ra|\.?\s?na|`,
    String.raw`nora?)?)\.?\s+(\p{Lu}[\p{L}'’.-]+(?:\s+(?:(?:von|van|de|di|du|da|del|della|der|le|`,
    String.raw`la)\s+)*\p{Lu}[\p{L}'’-]+){1,3})`,
  ].join(''),
  'gu',
);
const BIRTH_WORD = [
  String.raw`(?:geb\.?|geboren|born|d\.?o\.?b\.?|date of birth|n[ée]e?(?:\(e\))? le|nat(?:[oa]|o\/a) il|`,
  String.raw`geburtsdatum|\*(?=\s*\d{1,2}[./-]\s?\d{1,2}[./-]))\s*(?:am\s*|on\s*)?:?\s*(?:\d|`,
  String.raw`\p{Lu}\p{L}{2,8}\.? \d)`,
].join('');
export const BORN = new RegExp(String.raw`(?<!\p{L})${BIRTH_WORD}`, 'iu');
export const IN_SENTENCE = new RegExp(
  [
    String.raw`(?<!\p{L})(\p{Lu}[\p{L}'’-]+(?:\s(?:(?:von|van|de|di|du|da|del|della|der|le|`,
    String.raw`la)\s)*\p{Lu}[\p{L}'’-]+){1,3}),?\s(?:[Gg]eb\.?|[Gg]eboren|[Bb]orn|[Nn][ée]e?(?:\(e\))? le|`,
    String.raw`[Nn]at[oa] il)\s`,
  ].join(''),
  'u',
);
/** A name before the age of its person: "Michael Osei today, a 47-year-old man", "Frau Huber, eine 60-jährige". */
export const BEFORE_AGE = new RegExp(
  [
    String.raw`(?<!\p{L})(\p{Lu}[\p{L}'’-]+(?:\s(?:(?:von|van|de|di|du|da|del|della|der|le|la)\s)*`,
    String.raw`\p{Lu}[\p{L}'’-]+){1,3})`,
    String.raw`(?:\s\p{Ll}+){0,2},?\s(?:is\s|ist\s|est\s|è\s)?(?:a|an|eine?|une?|uno?)\s(?:\p{Ll}+\s){0,2}`,
    String.raw`\d{1,3}[- ]?(?:year|yr|jährig|ans|anni|month|week)`,
  ].join(''),
  'u',
);
/** Words in front of a name that are not part of it: "Behandlung von", "Ihren Patienten Herrn". */
const BEFORE_NAME = new RegExp(
  [
    String.raw`^(?:(?:Behandlung|Untersuchung|Konsultation|Vorstellung|Betreuung|Leistungen|`,
    String.raw`Patient(?:en|in)?|Patiente|Paziente|Herrn?|Frau|Madame|Monsieur|Mme|Mlle|Mr|Mrs|Ms|Miss|Sig\.?(?:ra|na|nora?)?|Kind(?:es)?|`,
    String.raw`Sohn(?:es)?|Tochter|Dear|Re|I|Today|Reviewed|Name|Nom|Nome)\.?\s+(?:von |de |du |di |für )?)+`,
  ].join(''),
  'u',
);
/** Forms of address to choose from: "Mr, Mrs, Miss, Ms Joan Carter". */
const CHOICE = new RegExp(
  [
    String.raw`^(?:(?:Mr|Mrs|Miss|Ms|Mx|Dr|Herrn?|Frau|M\.?|Mme|Mlle|Sig\.?(?:ra)?)\s*[,/]\s*)+`,
    String.raw`(?:(?:Mr|Mrs|Miss|Ms|Mx|Frau|Mme|Mlle|Sig\.?ra)\s+)?`,
  ].join(''),
  'u',
);

export const nameIn = (text: string): PersonName | null =>
  parsePersonName(text.replace(CHOICE, '').replace(BEFORE_NAME, ''));

/** OCR reads the capital "I" of "Ivano" as a small "l". */
export const withCapitalI = (text: string): string =>
  text.replace(/(?<![\p{L}'’])l(?=[b-df-hj-np-tv-xz]\p{Ll})/gu, 'I');

/** Degrees and offices of a surgeon behind "Mr James Whitby". */
export const DOCTOR_AFTER =
  /(?<!\p{L})(?:FRC\w+|MRC\w+|MBBS|MBChB|MB|MD|MS|MCh|PhD|FFR\w*|[Cc]onsultant|[Ss]urgeon|[Rr]egistrar)(?!\p{L})/u;

export const INSURED = /versicherte|assur|assicur|insured|policy|rechnungsempf|bill to|garant/;
export const TITLED = /(?<!\p{L})(?:dr|dre|prof|pr|dott|dottoressa|dottore|docteur|md)(?!\p{L})/iu;
