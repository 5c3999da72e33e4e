import { fold } from '../fold.ts';

/** Folded words that say what kind of house or department it is, and not which one. */
const KIND = new RegExp(
  [
    String.raw`^(?:hospital|clinic|clinica|clinique|klinik|klinikum|spital|krankenhaus|hopital|ospedale|`,
    String.raw`pharmacy|apotheke|pharmacie|farmacia|practice|(?:gruppen|gemeinschafts|haus)?praxis|labor|labordiagnosti\p{L}*|chemisch\p{L}*|`,
    String.raw`laborator\p{L}*|laboratoire|labo|`,
    String.raw`institut[eo]?|istituto|zentrum|cent(?:er|re|ro)|ambulatori(?:um|o)|ambulanz|studio|cabinet|`,
    String.raw`surgery|mvz|abteilung|department|dept|service|servizio|reparto|unit|unita|maison|sante|health|`,
    String.raw`regional\p{L}*|community|university|emergency|urgences|notaufnahme|notfall|innere|`,
    String.raw`allgemein\p{L}*|internal|general\p{L}*|family|klinische|clinical|cliniche|chemie|(?:bio)?chemistry|`,
    String.raw`medi[zc]\p{L}*|medecine|medecin|labormedizin|imagerie|imaging|analis[ie]|analyses|`,
    String.raw`diagnosti\p{L}*|\p{L}*olog(?:y|i[aecs]\p{L}*|ic\p{L}*|iqu\p{L}*|isch\p{L}*)|(?:chirurg|padiatr|`,
    String.raw`pediatr|paediatr|orthop)\p{L}*|for|of|de|des|du|di|della|del|d|la|le|und|and|et|e|the|fur)$`,
  ].join(''),
  'u',
);

/** Whether words say only what kind of house it is: "Laboratoire de biologie médicale", "Hospital". */
export const isOnlyKind = (value: string): boolean => {
  const words = fold(value).split(' ');
  return words.length > 0 && words.every((word) => KIND.test(word));
};

/** A department, named beside its facility. */
export const DEPARTMENT = new RegExp(
  [
    String.raw`^(?:(?:universitats)?klinik|abteilung|department|dept|division|institut|zentrum|dienst|service|`,
    String.raw`reparto|unita|u ?o ?c?|uoc|clinique|clinica|departement|dipartimento) (?:fur|of|de|d|du|des|di|`,
    String.raw`der)(?= )|^(?:ambulatorio|servizio) vaccinal`,
  ].join(''),
);

/** A discipline or a panel of tests without the name of a house. */
export const DISCIPLINE = /^ (?:(?:micro|mikro)biolog|\p{L}{3,}diagnosti[ck]s? ?$)/u;

/** What a letterhead says about the paper behind the name of the house: "Bowness Infirmary eDischarge". */
export const PAPER_AFTER =
  /\s+(?:e-?discharge|discharge (?:summary|letter)|lab(?:oratory)? report|e-?prescription|e-?arztbrief)$/iu;

/** A name that goes on in the line below: "Ambulatorio di", "Clinique Saint". */
export const GOES_ON =
  /(?:^|\s)(?:di|del|della|dei|de|du|des|d['’]|für|für die|am|an der|im|beim|of|for|and|und|et|&|St\.?|San|Santa|Saint|Sainte|Sankt)$/u;

/** Towns of a house with several places: "Les Herbiers · Pouzauges · Mortagne". */
export const TOWNS = /^\p{Lu}[\p{L}'’ -]{2,30}(?:\s[·•|]\s\p{Lu}[\p{L}'’ -]{2,30})+$/u;

/** Offices that a letterhead names beside the facility. */
export const OFFICE = new RegExp(
  [
    String.raw`^(?:clinical|medical|managing|acting|deputy)?\s?(?:director|lead|head)\b|^(?:chef|leit|direkt|`,
    String.raw`direct|dirett|primari|oberarzt|chief|consultant|responsab|arztliche[rn]? (?:leit|direkt)|ancien(?:ne)? (?:chef|interne|assist)|`,
    String.raw`ehemalig|gia (?:primario|aiuto)|former |`,
    String.raw`(?:fach|spezial)(?:arzt|arztin|arzte)(?= |$)|specialist in|specialiste|specialista in|`,
    String.raw`medecin specialiste|medico specialista|board certified)`,
  ].join(''),
);

/** "Angers, le 11/02/2026" names where and when a letter was written. */
export const PLACE_AND_DAY =
  /^\p{Lu}[\p{L}’' -]+, ?(?:(?:le|den|am|il|lì|the) )?\d{1,2}(?:[./]\s?[\p{L}\d]|\s\p{L}+\s(?:19|20)\d\d)/u;
/** "09:12" in the status bar of a telephone. */
export const CLOCK = /^\d{1,2}:\d\d(?!\d)/;
/** What is at the end of titles of papers, not of names of houses. */
export const PAPER = /(?:report|summary|record|befund|bericht|brief|rendu|referto|relazione)$/iu;

/** "Taken on 2 September 2025 at Harbour View Medical": the house where a test was made. */
export const MADE_AT = new RegExp(
  [
    String.raw`^(?:sample |specimen |blood |test )?(?:taken|collected|performed|done|seen|entnommen|abgenommen|`,
    String.raw`durchgeführt|prélevée?|réalisée?|effectuée?|prelevat[oa]|eseguit[oa]|effettuat[oa])\s.*\d.*?\s`,
    String.raw`(?:at(?: the)?|in (?:der|dem)|im|bei|à la|à l['’]|au|presso(?: (?:il|la|lo))?)\s?(\p{Lu}.*)$`,
  ].join(''),
  'iu',
);
