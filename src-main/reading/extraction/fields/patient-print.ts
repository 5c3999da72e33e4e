import { fold } from '../fold.ts';
import { FACILITY_WORDS, INSURER_WORDS } from '../languages/facility-words.ts';
import { parsePersonName, type PersonName } from '../../../../src-shared/medical/person-name.ts';

/** Text from these words on describes the person and is not part of the name. */
export const AFTER_NAME = new RegExp(
  [
    String.raw`\s*(?:[,;(–—·•|]\s*|\s-\s*|\s)(?:geb|geboren|born|b\.|dob|d\.o\.b|n[ée]e?(?:\(e\))? (?:le|\p{Lu})|`,
    String.raw`nat[oa]|`,
    String.raw`\*(?=\s*\d{1,2}[./-])|\d|m\b|f\b|w\b|geschlecht|sex|sesso|age|jg\.?|ahv|date|geburtsdatum|`,
    String.raw`versicherten|pid|nhs|mrn|id\b|m[äa]nnlich|weiblich|male|female|masculin|f[ée]minin|maschio|`,
    String.raw`femmina).*$`,
  ].join(''),
  'iu',
);
export const SALUTED = new RegExp(
  [
    String.raw`(?:^|\s)(?:[Hh]errn?|[Ff]rau|Mr|Mrs|Ms|Miss|Mme|Mlle|[Mm]adame|[Mm]onsieur|[Ss]ig(?:\.?\s?ra|\.?\s?na|`,
    String.raw`nora?)?|[Ss]pett\.?(?:le)?|[Ee]gr|[Gg]ent\.?(?:ma|mo|le)?)\.?\s+(`,
    String.raw`\p{Lu}[\p{L}'’.-]+(?:\s+(?:(?:von|van|de|di|du|da|del|della|der|le|`,
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
/** A name before "born" in a sentence, also where the date behind it is broken. */
export const IN_SENTENCE = new RegExp(
  [
    String.raw`(?<!\p{L})(\p{Lu}[\p{L}'’-]+(?:\s(?:(?:von|van|de|di|du|da|del|della|der|le|`,
    String.raw`la)\s)*\p{Lu}[\p{L}'’-]+){1,3}),?\s(?:[Gg]eb\.?|[Gg]eboren|[Bb]orn|[Nn][ée]e?(?:\(e\))? le|`,
    String.raw`[Nn]at[oa] il)\s`,
  ].join(''),
  'u',
);
const NAME_PRINT = [
  String.raw`(\p{Lu}[\p{L}'’-]+(?:\s(?:(?:von|van|de|di|du|da|del|della|der|le|la)\s)*\p{Lu}[\p{L}'’-]+){1,3})`,
].join('');
/** The person of whom a certificate says something: "Owen Muster was seen in our clinic", "certify that Ida Muster". */
export const CERTIFIED = new RegExp(
  [
    String.raw`^(?:${NAME_PRINT}\s(?:was\s(?:seen|examined|evaluated|treated)|is\s(?:under|a patient|currently)|`,
    String.raw`has been\s(?:seen|under|unable)|attended)|`,
    String.raw`.*(?:certif(?:y|ies|ie|ica|ico)|attest[aeo]?|bestätig(?:e|en|t)|bescheinig(?:e|en|t))[\s,:]+`,
    String.raw`(?:hiermit[\s,]+)?(?:that|dass|que|che|avoir examiné|di aver visitato)[\s:]+`,
    String.raw`(?:(?:l['’]enfant|the patient|il paziente|la paziente)\s)?${NAME_PRINT})`,
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
/** Words in front of a name that are not part of it: "Behandlung von", "Ihren Patienten Herrn", "Enfant". */
const PERSON_WORD = [
  String.raw`(?:Behandlung|Untersuchung|Konsultation|Vorstellung|Betreuung|Leistungen|`,
  String.raw`Patient(?:en|in)?|Patiente|Paziente|PATIENT(?:IN|E)?|PAZIENTE|Herrn?|Frau|Madame|`,
  String.raw`Monsieur|Mme|Mlle|Mr|Mrs|Ms|Miss|Sig\.?(?:ra|na|nora?)?|`,
  String.raw`Spett\.?(?:le)?|Gent\.?(?:ma|mo|le)?|Egr\.?|Kind(?:es)?|Enfant|Bambin[oa]|Mädchen|Knabe|Bub|`,
  String.raw`Sohn(?:es)?|Tochter|Figli[oa]|Fils|Fille|Son|Daughter|(?:Ih|Unse)re?[rnm]?|Votre|Notre|Your|`,
  String.raw`Our|Su[oa]|M\.|Concerne|Objet|Betrifft|`,
  String.raw`Betreff|Oggetto|Regarding|Dear|Re|I|Today|Reviewed|N(?:ame|AME)|N(?:om|OM)(?:e|E)?)`,
].join('');
const BEFORE_NAME = new RegExp(String.raw`^(?:${PERSON_WORD}\.?\s+(?:von |de |du |di |für )?)+`, 'u');
const UP_TO_PERSON_WORD = new RegExp(String.raw`^.*(?<!\p{L})${PERSON_WORD}\.?:?\s+(?:von |de |du |di |für )?`, 'u');
/** The text behind the last such word. */
export const behindPersonWord = (text: string): string => text.replace(UP_TO_PERSON_WORD, '');

/** Forms of address to choose from: "Mr, Mrs, Miss, Ms Joan Carter". */
const CHOICE = new RegExp(
  [
    String.raw`^(?:(?:Mr|Mrs|Miss|Ms|Mx|Dr|Herrn?|Frau|M\.?|Mme|Mlle|Sig\.?(?:ra)?)\s*[,/]\s*)+`,
    String.raw`(?:(?:Mr|Mrs|Miss|Ms|Mx|Frau|Mme|Mlle|Sig\.?ra)\s+)?`,
  ].join(''),
  'u',
);

/** Whether words name a house or an insurer. */
export const isHouse = (text: string): boolean => {
  const folded = ` ${fold(text)} `;
  return (
    COMPOUND_HOUSE.test(folded) ||
    [...FACILITY_WORDS, ...INSURER_WORDS].some((word) =>
      folded.includes(word.length > MAX_ABBREVIATION ? ` ${word}` : ` ${word} `),
    )
  );
};
/** "Kinderpraxis Gerbergasse" */
const COMPOUND_HOUSE = /[a-z](?:praxis|klinik|spital|krankenhaus|labor|apotheke|zentrum|institut) /;
/** "Hughes" does not begin with the name of the hospital "HUG". */
const MAX_ABBREVIATION = 5;

/** The label of the given name within a field: "Nom KELLER Prénom Anna". */
const GIVEN_LABEL = /(?<=\p{L})\s+(?:Prénoms?|Vorname|Given name|First name|Forename|Nome)\s*:?\s+/u;

/** Reads the name behind a label for persons, without titles and boxes to tick; null where the text isn’t a name. */
export const nameIn = (text: string): PersonName | null =>
  parsePersonName(text.replace(CHOICE, '').replace(BEFORE_NAME, '').replace(GIVEN_LABEL, ', '));

/** OCR reads the capital "I" of "Ivano" as a small "l". */
export const withCapitalI = (text: string): string =>
  text.replace(/(?<![\p{L}'’])l(?=[b-df-hj-np-tv-xz]\p{Ll})/gu, 'I');

const RELATIVE = [
  String.raw`(?:mère|père|maman|papa|parent|mutter|vater|mother|father|madre|padre|mamma|ehe(?:frau|mann)|`,
  String.raw`partner(?:in)?|`,
  String.raw`tochter|sohn|wife|husband|daughter|son|sister|brother|figli[oa]|moglie|marito|sorella|fratello|`,
  String.raw`épou(?:x|se)|fille|fils|tuteur|tutrice|guardian|carer|next of kin|angehörige?)`,
].join('');
/** A relative, named after a name: "Aurore Delamare (mère, née le 9.2.1986)". */
export const RELATIVE_AFTER = new RegExp(
  String.raw`^\s*[,(–-]\s*(?:(?:sa|son|la|le|the|seine?|ihre?|his|her)\s)?${RELATIVE}(?!\p{L})`,
  'iu',
);
/** The same before a name: "Familiare di riferimento: moglie, ". */
export const RELATIVE_BEFORE = new RegExp(String.raw`(?<!\p{L})${RELATIVE}\s*[,:]\s*$`, 'iu');
/** "Knabe Laurin, geboren am …" in the letter of the mother. */
export const NEWBORN = new RegExp(
  [
    String.raw`(?:^|\s)(?:knabe|mädchen|neugeborene[sr]?|baby|newborn|garçon|fille|nouveau-né|neonat[oa]|bambin[oa])`,
    String.raw`\s+\p{Lu}\p{L}+,?\s+(?:geb|born|n[ée]|nat)`,
  ].join(''),
  'iu',
);
/** "chez Mme Aurore Delamare", "c/o". */
export const CARE_OF = /(?:^|\s)(?:chez|c\/o|p\.?\s?a\.?|presso|bei)\s*$/iu;
/** What a paper calls a child behind the name: "DELAMARE Zoé, enfant, née le 5 mai 2014". */
export const CHILD_AFTER = /,\s*(?:enfant|kind|child|bambin[oa]|minor(?:e|enne)?)\s*(?=,|$)/iu;
/** A form of address with a given name at the end of a line whose family name is on the next one. */
export const NAME_BROKEN = new RegExp(
  [
    String.raw`(?:^|\s)(?:Herrn?|Frau|Mr|Mrs|Ms|Miss|Mme|Mlle|[Mm]adame|[Mm]onsieur|[Ss]ig\.?(?:ra|nora?)?)\.?`,
    String.raw`\s+(\p{Lu}[\p{L}’'-]+)$`,
  ].join(''),
  'u',
);
export const FAMILY_BEFORE_BIRTH =
  /^(\p{Lu}[\p{L}’'-]+),?\s+\(?(?:geb\.?|geboren|born|n[ée]e?(?:\(e\))? le|nat[oa] il|dob)\s/iu;

/** Degrees and offices of a surgeon behind "Mr James Whitby". */
export const DOCTOR_AFTER =
  /(?<!\p{L})(?:FRC\w+|MRC\w+|MBBS|MBChB|MB|MD|MS|MCh|PhD|FFR\w*|[Cc]onsultant|[Ss]urgeon|[Rr]egistrar)(?!\p{L})/u;

/** Labels of who is insured or pays, in folded letters. */
export const INSURED = new RegExp(
  [
    String.raw`versicherte|versicherungsnehm|assur|assicur|insured|policy|rechnungs(?:empf|adress)|rechnung an|garant|`,
    String.raw`zahlungspfl|zahler|debitor|debitrice|debiteur|schuldner|bill(?:ed)? to|invoice to|account holder|`,
    String.raw`responsible p|factur|payeur|^payer|^payor|pagante|pagatore|intestatari|fattura`,
  ].join(''),
);
export const TITLED = /(?<!\p{L})(?:dr|dre|prof|pr|dott|dottoressa|dottore|docteur|md)(?!\p{L})/iu;

/** Whether the word before a name is the title of a doctor. */
export const isTitledBefore = (text: string, given: string): boolean =>
  TITLED.test(text.slice(0, text.indexOf(given)).trim().split(/\s+/).slice(-2).join(' '));
