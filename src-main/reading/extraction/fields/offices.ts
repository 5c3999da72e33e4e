import { foldLetters } from '../fold.ts';

/** Words of offices, departments and machines that sign, in folded letters; "Head" and "Ward" are family names too. */
const OFFICE = new RegExp(
  [
    String.raw`(?:authori[sz]ed|signatory|automat\p{L}*|automatic\p{L}*|elektron\p{L}*|electron\p{L}*|elettron\p{L}*|`,
    String.raw`pharmacist|consultant|registrar|physician|surgeon|practitioner|director|manager|department|dept|unit|team|`,
    String.raw`clinic|services?|sciences?|medicine|medical|respiratory|clinical|general|laboratory|chemistry|`,
    String.raw`systems?|release|routine|validation|secretary|secretariat|reception|administration|cardiac|renal|`,
    String.raw`klinische[rs]?|chemie|allgemeine[rs]?|innere[rs]?|abteilung|klinik|zentrum|station|leitung|dienst|`,
    String.raw`sekretariat|labor|facharzt|facharztin|oberarzt|oberarztin|assistenzarzt|assistenzarztin|`,
    String.raw`service|chef|clinique|interne|generale?|medicale?|medecin|secretaire|systeme|responsable|`,
    String.raw`medico|medica|dirigente|sistema|informatico|reparto|unita|operativa|direttore|direzione|specialista|`,
    String.raw`interna|responsabile|segreteria|\p{L}{3,}(?:logie|logia|logy|logico|iatrie|iatria|iatry|medizin|`,
    String.raw`medecine|medicina|chirurgie|chirurgia|surgery|padie|therapie|therapy|terapia))`,
  ].join(''),
  'u',
);
const IS_OFFICE = new RegExp(
  String.raw`^(?:${OFFICE.source}|medizin|medecine|medicina|chirurgie|chirurgia|surgery)$`,
  'u',
);

/** Whether words name an office, a department or a machine instead of a person: "Klinische Chemie", "Duty Pharmacist". */
export const isOffice = (name: string): boolean =>
  name.split(/[\s-]+/).some((word) => IS_OFFICE.test(foldLetters(word).replace(/\P{L}/gu, '')));
