import {
  any,
  SMALL,
  NUMBER,
  TO,
  PIECE,
  BARE_COUNT,
  MEASURE,
  UNITS_AT_A_TIME,
  AMOUNT,
  BARE_ROUTE,
  BODY_PLACE,
  SKIN,
  ROUTE,
} from './direction-words.ts';
import { findScheme, tidyScheme } from './dose.ts';

/** How often and how a medicine is taken, in English, German, French, Italian and Spanish, as a grammar of phrases. */
const CLOCK = String.raw`\d{1,2}(?:[.:]\d\d)?`;
const UNIT_OF_TIME = any(
  String.raw`tag|täglich|tägl\.?|tgl\.?|woche|wöchentlich|monat(?:lich)?|jahr|jährlich|daily|day|d\b|week(?:ly)?|wk`,
  String.raw`months?(?:ly)?|quarter(?:ly)?|quartal|trimestre|year`,
  String.raw`die|dì|giorno|giornaliera?|jour|j\b|semaine|mois|settimana|mese|día|semana|24 ?h`,
);
const HOURS = [
  String.raw`(?:stunden|std\.?|h(?:rs?)?|hours?|heures?|ore|horas|tage|days?|jours?|giorni|días|wochen|`,
  String.raw`weeks?|`,
].join('');
const PERIODS = String.raw`semaines?|settimane|semanas|monate|months?|mois|mesi)`;
const DAY_NAME = any(
  'mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?',
  'montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?',
  'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica',
);
/** "Mo/Mi/Fr", "Mon, Wed, Fri", "Mo–Fr". */
const SHORT_DAY = any(
  'mo[n]?|di|mi|do|fri?|sat?|so|sun|tue?s?|weds?|thu?r?s?',
  'lun?|mar?|mer?|jeu?|ven?|sam?|gio|sab|dom',
);
const SHORT_DAYS = String.raw`${SHORT_DAY}\.?(?:\s?[/,–-]\s?${SHORT_DAY}\.?)+(?![\p{L}])`;
const NUMBER_WORD = [
  String.raw`\d{1,2}|other|second|two|three|four|six|eight|twelve|zwei|drei|vier|sechs|acht|zwölf|deux|six|`,
  String.raw`huit|otto|sei`,
].join('');
const ITALIAN_MEAL = '(?:colazione|pranzo|cena)';
const ABOUT_MEALS = any(
  String.raw`à jeun|a(?:u|ux) (?:(?:cours|moment|milieu|début|fin) (?:du |des ))?repas`,
  String.raw`(?:avant|après|pendant|avec) (?:le |les |un |chaque )?(?:repas|petit[- ]déjeuner|déjeuner|dîner)`,
  String.raw`nüchtern`,
  [
    String.raw`(?:zum|zu den|zu jeder|vor dem|nach dem|vor den|nach den|vor jeder|mit dem) (?:essen|`,
    String.raw`mahlzeit(?:en)?|frühstück|mittagessen|abendessen)`,
  ].join(''),
  String.raw`on an empty stomach|with (?:(?:each|the|your|every) )?(?:(?:main|evening|morning|midday|largest) )?meals?`,
  String.raw`(?:with|before|after|between) (?:(?:each|the|your) )?(?:food|meals?|breakfast|lunch|dinner|supper|eating)`,
  String.raw`(?:zu|vor|nach) (?:den |jeder )?hauptmahlzeit(?:en)?`,
  String.raw`(?:aux|avant les|après les) (?:trois |3 |principaux )?repas(?: principaux)?`,
  String.raw`(?:ai|prima dei|dopo i|durante i) pasti principali`,
  String.raw`(?:avec|après|au) (?:le )?(?:souper|dîner|petit[- ]déjeuner)`,
  String.raw`a digiuno|ai pasti|(?:prima|dopo|durante) (?:dei|i|di|il) pasti?|lontano dai pasti|fuori pasto`,
  String.raw`(?:loin|à distance|en dehors) des repas|zwischen den mahlzeiten|unabhängig von (?:den )?mahlzeiten`,
  `(?:prima di|dopo|a) ${ITALIAN_MEAL}(?:, ${ITALIAN_MEAL})*(?: e ${ITALIAN_MEAL})?`,
  String.raw`a stomaco (?:vuoto|pieno)|en ayunas`,
  String.raw`con (?:las )?comidas?`,
);
/** Parts of the day that French, Italian and Spanish use without more words. */
const DAY_PART = any(
  String.raw`(?:le |au |chaque |à )?(?:matin|midi|soir|coucher|lever|petit[- ]déjeuner|déjeuner|dîner|goûter)`,
  String.raw`(?:al |alla |la |il |ogni )?(?:mattin[oa]|mezzogiorno|sera(?! \p{L}+é)|notte)|a (?:colazione|pranzo|cena)`,
  String.raw`por la (?:mañana|tarde|noche)|(?:en |con )?(?:el |la )?(?:desayuno|almuerzo|cena)`,
  String.raw`(?:am |jeden )?(?:morgens?|früh|mittags?|nachmittags?|abends?|nachts?)|zur nacht|z\.\s?n\.`,
  String.raw`(?:in the |every |each )?(?:mornings?|noon|evenings?|afternoons?|nights?)`,
  String.raw`at (?:night|noon|bedtime|breakfast|lunch(?:time)?|dinner|teatime)`,
);

const TIMES_A_DAY = any(
  // "3 x täglich", "2 fois par jour", "three times a day", "1 x 2 Kapseln/Tag".
  [
    [
      `${NUMBER}(?:${TO}${NUMBER})?`,
      String.raw`\s?(?:x|×|mal|`,
      String.raw`times?|fois|volt[ae]|ve(?:z|ces)|prises?|somministrazion[ei])`,
    ].join(''),
    [
      String.raw`\s?(?:\d+(?:[.,]\d)?\s?(?:\p{L}+\.?\s)?)?(?:\/\s?)?(?:pro |per |par |al |alla |a la |a |an |am |`,
      String.raw`in der |in |each |every )?${UNIT_OF_TIME}`,
    ].join(''),
  ].join(''),
  [
    String.raw`(?:once or |up to )?(?:once|twice|thrice) (?:a |per |every |each |in the )?(?:daily|nightly|day|`,
    String.raw`week(?:ly)?|month(?:ly)?|year(?:ly)?|morning|evening|night)`,
  ].join(''),
  String.raw`(?:ein|zwei|drei|vier)mal (?:am |pro |in der )?${UNIT_OF_TIME}`,
  // "80 mg/kg/j en 2 prises"
  [
    String.raw`(?:en|in|auf|aufgeteilt auf) ${NUMBER} (?:prises?|fois|dosi|somministrazioni|(?:einzel)?(?:dosen|gaben)|`,
    String.raw`(?:divided |separate |equal )?doses)`,
  ].join(''),
  String.raw`\d\s?[x×]\s?\/\s?(?:d|j|die|tag|day|jour)\b`,
  String.raw`\d\s?[x×]\s?${DAY_PART}`,
  String.raw`[x×]\s?\d\s?(?:\/\s?|par |al |pro |per |an? )(?:d|j|die|dì|tag|day|jour|giorno)(?![\p{L}])`,
);
/** In "ore 8, 1 cp ore 16", 1 counts pieces. */
const NOT_PIECES = `(?!\\s?${PIECE}(?!\\p{L}))`;
const BY_THE_CLOCK = any(
  String.raw`(?:um )?${CLOCK} ?uhr(?:\s?(?:,|und|\/|-|–|\+)\s?${CLOCK} ?uhr)*`,
  String.raw`\d{1,2} ?h(?:\d\d)?(?:\s?(?:,|et|e|\/|-|–)\s?\d{1,2} ?h(?:\d\d)?)+(?![\p{L}\d])`,
  String.raw`alle ${CLOCK}(?: e alle ${CLOCK})+(?![\p{L}\d])`,
  String.raw`(?:alle )?ore ${CLOCK}(?:\s?(?:,|e|-|–)\s?(?:alle )?(?:ore )?${CLOCK}${NOT_PIECES})*(?![\p{L}\d])`,
  String.raw`um ${CLOCK}(?: Uhr)?(?:\s?(?:,|und|\+)\s?(?:um )?${CLOCK}(?: Uhr)?)*(?<= Uhr)`,
  String.raw`à \d{1,2} ?h(?:\d\d)?(?:\s?(?:,|et)\s?(?:à )?\d{1,2} ?h(?:\d\d)?)*(?![\p{L}\d])`,
  String.raw`h\.? ?${CLOCK}(?:\s?(?:,|e|et|-|–)\s?h\.? ?${CLOCK})*(?![\p{L}\d])`,
  String.raw`at ${CLOCK} ?[ap]\.?m\b\.?(?:\s?(?:,|and)\s?(?:at )?${CLOCK} ?[ap]\.?m\b\.?)*`,
);
const EVERY = any(
  [
    String.raw`(?:(?:once|einmal|une fois|una volta|1 ?x) )?(?:alle|every|ogni|cada|toutes les|`,
    String.raw`tous les) (?:${NUMBER_WORD})(?:${TO}\d{1,2})?\s?${HOURS}${PERIODS}(?: [1-9](?![\p{L}\d.,]))?`,
  ].join(''),
  String.raw`every (?:other|second|third) (?:day|night|week)|every (?:hour|day|week|month)|each day`,
  String.raw`on alternate days|alternate days`,
  String.raw`jeden (?:\d\.|zweiten|dritten|2ten)? ?(?:tag|morgen|abend)|(?:un|1) jour sur (?:deux|2|trois|3)`,
  String.raw`a giorni alterni`,
  String.raw`\d{1,2}[- ]?(?:stündlich|hourly)|tous les (?:jours|matins|soirs|mois)|chaque jour`,
  String.raw`ogni (?:giorno|ora)|todos los días`,
);
const BEFORE_BED = [
  String.raw`(?:before|vor dem|avant le|prima di|antes de) (?:bed(?:time)?|schlafen(?:gehen)?|coucher|dormire|`,
  String.raw`coricarsi|acostarse|schlafengehen)`,
].join('');
const WORDS_OF_TIME = any(
  String.raw`daily|nightly|weekly|fortnightly|monthly|mornings?(?= and)`,
  String.raw`(?:stünd|täg|wöchent|monat)lich|tägl\.|tgl\.?`,
  String.raw`(?:par|\/) ?(?:jour|j\b|semaine|mois|trimestre|an\b|24 ?h(?:eures)?)|quotidienne(?:ment)?`,
  String.raw`(?:al|pro|\/) ?(?:giorno|dì|die)|(?:al|ogni) mese|(?:a|alla) settimana`,
  String.raw`(?:pro|per|an?) (?:tag|woche|monat|day|week|month)`,
  String.raw`die\b(?=\s*(?:[,.;(]|$)| (?:per|dopo|prima|al?|alla|ai|se|ore)\b)|al día`,
  String.raw`diari[oa](?:mente)?`,
  String.raw`o\.?d\.?|b\.?i\.?d\.?|b\.?d\.?|t\.?i\.?d\.?|t\.?d\.?s\.?|q\.?i\.?d\.?|q\.?d\.?s\.?|q\.?d\.?`,
  String.raw`q\.?h\.?s\.?|h\.s\.|q\s?\d{1,2}(?:-\d{1,2})?\s?h(?:rs?)?|nocte|mane|stat`,
  [
    String.raw`p\.?r\.?n\.?(?:(?: for)? (?:severe )?(?:pain|nausea|anxiety|itching|wheezing|fever|constipation|`,
    String.raw`sleep)(?!\p{L}))?`,
  ].join(''),
  String.raw`al acostarse`,
  SHORT_DAYS,
  String.raw`(?:on |am |le |il |every |jeden |chaque |ogni )?${DAY_NAME}(?:\s?(?:,|and|und|et|e)\s?${DAY_NAME})*`,
);
const AT_MOST = [
  String.raw`(?:up to|max(?:imum|imal|imo)?\.?|massimo|maximal|jusqu['’]à|bis(?: zu)?|höchstens|fino a|`,
  String.raw`au maximum|no more than) ${NUMBER}\s?(?:${PIECE}\s?)?(?:x\s?|times\s|fois\s|volte\s|`,
  String.raw`mal\s)?(?:a |an |per |pro |par |al |am |in |\/\s?)?${UNIT_OF_TIME}`,
].join('');
const IF_NEEDED = any(
  String.raw`(?:as|if|when|where) (?:needed|required|necessary)|as directed`,
  String.raw`(?:bei|nach) bedarf|b\.\s?b(?:ed)?\.|bei bed\.|b\. ?bed\.`,
  String.raw`à volonté|nach belieben|a volontà|(?:si|au) besoin|si nécessaire|en cas de (?:besoin|douleurs?)|à la demande`,
  String.raw`en réserve|(?:als|in) reserve`,
  String.raw`al bisogno|se (?:necessario|occorre)|in riserva|si precisa|a demanda`,
);
const WHEN_NEEDED = any(
  String.raw`${IF_NEEDED}(?:,? ${AT_MOST}|\s?\(${AT_MOST}\))?`,
  [
    String.raw`(?:bei|gegen|si|en cas de|for|if|se|in caso di|per|contre) (?:starken |severe |forte |chest |back |joint )?`,
    String.raw`(?:(?:kopf|bauch|thorax|rücken|brust|gelenk)?schmerz|schlaf(?:störung|losigkeit)|nervosité|insomni|`,
    String.raw`mal di testa|reflux|reflusso|brûlures|herzrasen|palpit|panik|krampf|krämpf|`,
    String.raw`unruhe|angst|husten|schwindel|agitation|anxi|`,
    String.raw`fieber|übelkeit|erbrechen|atemnot|juckreiz|douleur|fièvre|nausée|vomissement|pain|fever|nausea|`,
    String.raw`wheez|breathless|itch|dolor|cris[ei]|anfall|anfällen|migräne|migraine|heartburn|sodbrennen|`,
    String.raw`verstopfung|constipation|diarrh|durchfall|gêne|essouffl|dyspn|oppress|angor|spasm|toux|ansia|agitazion|allerg|fiebre|febbre|tosse|`,
    String.raw`insonni)\p{L}*(?: (?:thoraciques?|abdominales?|toracic[oi]|intenses?|sévères?|importantes?|`,
    String.raw`fort[ei]|rapprochées?|nocturnes?|aiguës?|migraineuses?|notturn[aei]|acut[aei]))?`,
    String.raw`(?:\s?(?:über|ab|>|≥|above|over|supérieure? à|sopra|superiore a)`,
    String.raw`\s?\d\d(?:[.,]\d)?\s?(?:°\s?c?)?)?`,
    String.raw`(?: (?:ou|et|oder|und|or|and|o|`,
    String.raw`e) \p{L}{3,})?`,
  ].join(''),
  [
    String.raw`(?:nach|n\.|gem(?:\.|äß|äss)|laut|lt\.|selon|suivant|secondo|come da|según|as per|per|by|according to) `,
    String.raw`(?:douleurs?|schmerz(?:en)?|dolore|pain|INR|quick(?:wert)?|schema|schéma|plan|protocole|ausweis|protocollo|piano|BZ|blutzucker|glycémie|`,
    String.raw`glicemia|wirkung|anweisung|blood sugar|protocol)(?: (?:INR|quick|BZ))?`,
  ].join(''),
);
/** "at onset of migraine", "after each loose stool", "bei Beginn der Attacke". */
const AT_EVENT = any(
  String.raw`at (?:the )?(?:onset|first signs?|start) of (?:(?:a|an|the) )?\p{L}+`,
  String.raw`after (?:each|every) (?:loose |liquid )?(?:stool|bowel movement|feed)`,
  String.raw`(?:bei|zu) beginn (?:der|einer|des|eines) \p{L}+|nach jedem (?:\p{L}+ )?(?:stuhl(?:gang)?|durchfall)`,
  String.raw`(?:dès|au) (?:le )?début (?:de la |de l['’]|des |d['’]une )\p{L}+|après chaque selle(?: liquide)?`,
  String.raw`all['’](?:inizio|esordio) (?:della |dell['’]|del )\p{L}+|dopo ogni (?:scarica|evacuazione)`,
);
/** "30 minutes before breakfast" */
const MINUTES = [
  String.raw`(?:(?:\d{1,2}(?:-\d{1,2})?|half an|an?|one|eine?|une|un['’]?) ?(?:min(?:ut(?:e[ns]?|i))?\.?|h|hours?|`,
  String.raw`stunden?|std\.?|heures?|or[ae]) )?`,
].join('');
/** "2 x 2", "3x1 Tbl.". */
const PIECES_BY_TIMES = [
  String.raw`(?<![\d.,])\d\s?[x×]\s?(?:\d{1,2}(?:[.,]5)?|½)(?![\p{L}\d.,]|\s?(?:cm|mm|mg|g|ml|cp|stk|st)\b)`,
  String.raw`(?:\s?${any(PIECE, MEASURE)}(?![\p{L}]))?`,
].join('');
/** "morgens 1, abends 1" */
const GERMAN_PART = '(?:morgens|früh|mittags|abends|nachts|zur nacht)';
const COUNTED_PARTS = String.raw`${GERMAN_PART} ${SMALL}(?:\s?[,;+/]?\s?(?:und )?${GERMAN_PART} ${SMALL})+(?![\d\p{L}])`;

const CORE = `(?:(?<![\\p{L}\\d])|(?<=\\p{L})(?=\\/))${any(
  BY_THE_CLOCK,
  COUNTED_PARTS,
  AT_EVENT,
  EVERY,
  AT_MOST,
  TIMES_A_DAY,
  PIECES_BY_TIMES,
  WHEN_NEEDED,
  `${MINUTES}${any(BEFORE_BED, ABOUT_MEALS)}`,
  WORDS_OF_TIME,
  DAY_PART,
)}(?![\\p{L}])`;

/** Conditions after a frequency: "si douleur ou fièvre", "bei Kopfschmerzen", "if needed". */
const NOT_A_CONDITION = [
  String.raw`(?!(?:ou|et|oder|und|or|and|o|e|pendant|durant|for|während|für|per|until|jusqu|bis|max|sowie|`,
  String.raw`rincer|laver|dann|then|puis|poi)\b)`,
].join('');
const CONDITION = [
  String.raw`,?\s*\(?(?:${ABOUT_MEALS}|(?:si|en cas de|bei|wenn|if|for|pour|se|in caso di|per|gegen)\s+(?!\d)`,
  String.raw`${NOT_A_CONDITION}\p{L}{3,}(?: ${NOT_A_CONDITION}\p{L}+)?`,
  String.raw`(?:,? (?:ou|et|oder|und|or|and|o|e) \p{L}{3,})?)\)?(?!\p{L})`,
].join('');
const JOIN = String.raw`\s?(?:,|;|und|and|et|e|y|\+|&|\/|-)?\s?`;
/** "5 jours sur 7". */
const SOME_DAYS = any(
  String.raw`[1-6] (?:jours? sur 7|days? (?:out )?of 7|days? (?:a|per) week|giorni su 7|giorni alla settimana)`,
  String.raw`(?:an )?[1-6] (?:von 7 tagen|tagen? (?:die|pro) woche|jours? par semaine)`,
);
/** A route or a day behind the frequency: "1x wöchentlich s.c. am Montag", "1x wöchentlich (Freitag) s.c.". */
const ROUTE_BEHIND =
  String.raw`(?:s\.?\s?c\.?|i\.?\s?m\.?|p\.\s?o\.|subkutan|subcutaneously|under the skin|by mouth|sottocute|` +
  String.raw`(?:en )?sous-cutanée?)`;
const BEHIND = any(
  String.raw`${ROUTE_BEHIND}(?: (?:am |on |le |il )?${DAY_NAME})?`,
  String.raw`\((?:am |on |le |il |jeweils )?${DAY_NAME}\)(?: ${ROUTE_BEHIND})?`,
);
/** The letters of the languages of directions; a micro sign is one too. */
const LATIN = 'a-zß-öø-ſµªº';
/**
 * Compiles a grammar whose `\p{L}` are Latin letters, without the flag `u`: under it, the grammar takes twice as long to
 * compile, as all of Unicode is looked up for every letter without regard to case.
 */
function compile(pattern: string, flags: 'i' | 'gi'): RegExp {
  let isInClass = false;
  const latin = pattern.replace(/\\p\{L\}|\\.|[[\]]/gu, (part) => {
    if (part === '[' || part === ']') isInClass = part === '[';
    if (part !== String.raw`\p{L}`) return part;
    return isInClass ? LATIN : `[${LATIN}]`;
  });
  return new RegExp(latin, flags);
}

/** "Mo, Mi, Fr je 1": a number behind the days. */
const EACH_TIME = `(?:je|jeweils)\\s+${SMALL}(?![\\p{L}\\d.,]|\\s?(?:m?g|ml|x|×)(?![\\p{L}]))`;
const DIRECTIONS = compile(
  [
    `(?:(?:(?:je|jeweils)\\s+)?(?:${AMOUNT}|${BARE_COUNT})(?:,?\\s+${ROUTE})?,?\\s*|${BARE_ROUTE})?${CORE}`,
    `(?:${JOIN}(?:(?:${AMOUNT}|${BARE_COUNT})(?:\\s+${ROUTE})?,?\\s*)?${CORE})*`,
    `(?:,?\\s+(?:(?:je\\s+|jeweils\\s+)?${AMOUNT}(?!\\s?(?:x|×|fois|mal|times))(?:,?\\s+${ROUTE})?|${EACH_TIME}))?`,
    `(?:,?\\s+(?:${AT_MOST}|au maximum|maximal|höchstens|al massimo|at most|maximum)(?![\\p{L}]))?`,
    `(?:${CONDITION})?(?:,?\\s+(?:${BODY_PLACE}|${SKIN}|${SOME_DAYS}|${BEHIND})(?![\\p{L}]))?`,
  ].join(''),
  'i',
);
/** "1 spruzzo per narice", "je 1 Sprühstoss pro Nasenloch": an amount and its place alone. */
const AMOUNT_AT_PLACE = compile(`(?:je\\s+)?${AMOUNT}\\s+${BODY_PLACE}(?![\\p{L}])`, 'i');

/** "2 (two) times a day", "1 tablet (40 mg total) by mouth". */
const REPEATED_IN_WORDS = /\s\((?:one|two|three|four|five|six|eight|twelve|\d[\d.,]* ?\p{L}+ total)\)/giu;

/** What OCR makes of "1" and "½" before a piece: "l compressa", "% Tablette", "Y2 Tablette". */
const MISREAD_COUNT = compile(`(?<![\\p{L}\\d])(?:([lI|])|%|[YV][2az])(?=\\s${PIECE}(?![\\p{L}]))`, 'gi');

/** Mends misread numbers of pieces; the text keeps its length. */
const withCounts = (text: string): string =>
  text.replace(MISREAD_COUNT, (misread, one?: string) => (one ? '1' : '½'.padEnd(misread.length)));

interface Directions {
  text: string;
  index: number;
}

/** In running text, units are the strength: "6 UI prima di colazione". */
const UNITS_FIRST = compile(`^${UNITS_AT_A_TIME},?\\s+`, 'i');

/** How often a medicine is taken, as printed: a scheme, otherwise words with the amount before them. */
export function findFrequency(text: string): Directions | null {
  const found = findPhrase(text);
  const units = found ? (UNITS_FIRST.exec(found.text)?.[0].length ?? 0) : 0;
  return found && { text: found.text.slice(units), index: found.index + units };
}

function findPhrase(text: string): Directions | null {
  const scheme = findScheme(text);
  if (scheme) return { text: tidyScheme(scheme[0]), index: scheme.index };
  const printed = withCounts(text.replace(REPEATED_IN_WORDS, ''));
  const match = DIRECTIONS.exec(printed) ?? AMOUNT_AT_PLACE.exec(printed);
  if (!match) return null;
  return { text: match[0].replace(/[\s,;]+$/u, '').replace(/\s+/g, ' '), index: match.index };
}

/** "at headache onset", "during menses", "zum Frühstück", "auftragen": what may end directions. */
const TAIL = compile(
  [
    String.raw`^\s(?:(?:(?:dissolved|diluted|mixed|dilué|dissous|sciolt[oa]|diluit[oa]|dünn|sparsam|thinly|`,
    String.raw`sparingly|en couche mince) )?`,
    String.raw`(?:at|on|to|in|into|via|using|with|without|before|after|during|around|between|beim?|vor|nach|`,
    String.raw`während|auf|`,
    String.raw`ins?|zu[mr]?|mit|ohne|à|au|aux|avant|après|avec|sans|sur|dans|lors d[eu]|con|senza|prima|dopo|`,
    String.raw`durante|su\p{L}{0,3}|nel\p{L}{0,2}|ai|alla?) (?=(?:\p{L}{1,2} )*\p{L}{3})(?:[\p{L}'’-]+ ?){1,4}|`,
    String.raw`en (?:saison|période|phase)(?: [\p{L}'’-]+){0,3}|`,
    String.raw`(?:dünn |lokal |äu(?:ß|ss)erlich )?(?:auftragen|auftropfen|einreiben|einnehmen|wechseln|`,
    String.raw`kauen|inhalieren|spritzen|anwenden|kleben|lutschen|gurgeln|`,
    String.raw`spülen|eincremen|einmassieren))(?=\s*(?:$|[.,;(]|\s\s|(?:für|for|x|pendant|per|während|durant|bis)\s))`,
  ].join(''),
  'i',
);
/** "(je 5 ml)", "(dose-poids 10 kg)": how much is taken each time, in brackets behind the directions. */
const AMOUNT_IN_BRACKETS = compile(
  [
    String.raw`^(?:[,;]?\s[^()\d]{0,12}\d{1,3} (?:tage?n?|days?|jours?|giorni))?[,;]?\s\(((?:je(?:weils)?|entspricht|`,
    String.raw`à|soit|pari a|dose-poids|1 dose|one dose|each)\s\d[\d.,]*\s?(?:ml|kg|mg|tropfen|gouttes|gocce|drops)|`,
    String.raw`\d[\d.,]* ?ml)(?=[),])`,
  ].join(''),
  'i',
);
/** "Apply to affected area" before "twice daily". */
const LEAD = compile(
  [
    String.raw`^\s*(?:apply|rub|spray|instil+|insert|inject|spread|change|appliquer|étaler|changer|applicare|stendere|`,
    String.raw`cambiare)(?: [\p{L}'’-]+){0,6} $`,
  ].join(''),
  'i',
);

/** "1-0-0 (Mo-Fr)", "1-0-0 nur montags", "1-0-0 nüchtern": on which days, or whether only if needed. */
const LIMIT = any(
  SHORT_DAYS,
  String.raw`(?:nur |only |seulement |solo )?(?:am |jeden )?${DAY_NAME}(?:\s?(?:,|und|and|et|e|\+)\s?${DAY_NAME})*`,
  EVERY,
  IF_NEEDED,
  'nüchtern',
);
const BEHIND_SCHEME = compile(`^,? (?:${LIMIT}(?!\\p{L})|\\((?:${LIMIT}|${SHORT_DAY})\\))`, 'i');

function amountBehind(text: string): string {
  const amount = AMOUNT_IN_BRACKETS.exec(text)?.[1];
  return amount === undefined ? '' : ` (${amount})`;
}

/**
 * How a medicine is taken, as printed in a list: the frequency with what is said of it, "twice daily to the elbows".
 * In running text, more words would follow that are about something else.
 */
export function findDirections(text: string): Directions | null {
  const found = findPhrase(text);
  const scheme = findScheme(text);
  if (!found) return found;
  if (scheme) {
    const rest = text.slice(scheme.index + scheme[0].length);
    const limit = BEHIND_SCHEME.exec(rest)?.[0] ?? '';
    return { text: `${found.text}${limit}${amountBehind(rest.slice(limit.length))}`, index: found.index };
  }
  const printed = withCounts(text.replace(REPEATED_IN_WORDS, ''));
  const lead = LEAD.exec(printed.slice(0, found.index))?.[0] ?? '';
  const end = found.index + (DIRECTIONS.exec(printed)?.[0] ?? found.text).trimEnd().length;
  const tail = TAIL.exec(printed.slice(end))?.[0].trimEnd() ?? '';
  const each = amountBehind(printed.slice(end + tail.length));
  return { text: `${lead.trimStart()}${found.text}${tail}${each}`, index: found.index - lead.length };
}
