import { findScheme, tidyScheme } from './dose.ts';

/** How often and how a medicine is taken, in English, German, French, Italian and Spanish, as a grammar of phrases. */
const any = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;

const SMALL = any(
  String.raw`[1-9](?:[.,]5|[½¼¾])?(?![\d.,]\d)|½|¼|¾|[13]\/[24]|one(?: half)?|two|three|four|five|six|half(?: an?)?`,
  String.raw`ein(?:e[nr]?)?|zwei|drei|vier|fünf|eine? halbe|halbe`,
  String.raw`une?|deux|trois|quatre|cinq|demi-?|un[oa]?|due|tre|quattro|mezz[oa]|dos|tres|cuatro|medi[oa]`,
);
const NUMBER = any(String.raw`\d{1,2}`, SMALL);
const TO = String.raw`\s?(?:-|–|to|bis|à|ou|oder|or|o|a)\s?`;
const COUNT = `(?<![\\p{L}\\d.,/])${SMALL}(?:${TO}${SMALL})?`;
/** Pieces of which few are taken at a time. */
const PIECE = any(
  String.raw`(?:film|kau|brause|retard)?tabl?(?:et(?:te)?)?[sn]{0,2}\.?|tbl\.?|tabs?\.?|caplets?|lozenges?`,
  String.raw`comprim[ée]s?|comprimidos?|compress[ae]|cpr?s?\.?|cps\.?|confett[oi]|pastill[ae]s?|dragées?|drg\.?`,
  String.raw`kaps(?:el)?n?\.?|kps\.?|caps?(?:ule)?s?\.?|capsul[ae]|cápsulas?|gél(?:ule)?s?\.?`,
  String.raw`puffs?|(?:actuation|inhalation|spray|squirt)s?|hub|hübe|hüben|sprühst[oö](?:ß|ss)e?n?|inhalation(?:en)?`,
  String.raw`bouffées?|pulvérisations?|inhalaciones|inalazion[ei]|spruzz[oi]|puff|erogazion[ei]|nebulizzazion[ei]`,
  String.raw`sachets?|beutel|btl\.?|bustin[ae]|sobres?|pflaster|patch(?:es)?|cerott[oi]|parches?`,
  String.raw`suppositor(?:y|ies)|supp\.?|zäpfchen|suppositoires?|suppost[ae]|supositorios?`,
  String.raw`ampulle[n]?|amp\.?|ampoules?|fial[ae]|injections?|injektion(?:en)?|spritzen?|pens?|doses?|dosis|dosi`,
  String.raw`applications?|anwendung(?:en)?|applicazion[ei]|stück|stk\.?|st\.|teaspoons?|tsp\.?|tablespoons?`,
  String.raw`messlöffel|(?:tee|ess)löffel|cuill(?:ère|er)(?:es)?(?: à (?:café|soupe)|-mesures?)?`,
  String.raw`cucchiai(?:o|ni|no)?`,
  String.raw`co\.?(?=[\s/])|doses?[- ](?:poids|kg)|sciacqu[oi]|bains? de bouche|pumps?|pressions?|globul[ei]|perles?`,
  String.raw`flaconcin[oi]|flacons?|vials?|fläschchen|misurin[oi]|mesures?|cucharadas?`,
);
/** "1 le matin", "one daily": a number without its piece. Vitamin D 3 and omega 3 have theirs in the name. */
const BARE_COUNT = `(?<!\\b(?:omega|[bdk])[ -])${COUNT}(?=\\s+\\D)`;
/** Measures of which many are taken at a time. */
const MEASURE = any(String.raw`tropfen|trpf\.?|tr\.|drops?|gtts?\.?|gouttes?|gocc(?:e|ia)|gotas?|ml`);
const AMOUNT = any(
  `${COUNT}\\s?${PIECE}(?![\\p{L}])`,
  `${COUNT} to be (?:taken|used|applied|inhaled|inserted|given)`,
  `${COUNT}\\s?${MEASURE}(?![\\p{L}])`,
  `(?<![\\p{L}\\d.,/])\\d{1,2}(?:[.,]\\d)?(?:${TO}\\d{1,2})?\\s?${MEASURE}(?![\\p{L}])`,
);
/** "PO daily", "s.c. 1x wöchentlich": a route in front of the frequency, without an amount. */
const BARE_ROUTE = [
  String.raw`(?<![\p{L}\d])(?:p\.?o\.?|by mouth|orally|per os|s\.?c\.?|s\.?l\.?|i\.?m\.?|subkutan|`,
  String.raw`subcutaneously)\s+`,
].join('');
/** Eyes, ears and nostrils. */
const BODY_PLACE = any(
  String.raw`(?:right|left) (?:eye|ear|nostril)|(?:rechtes|linkes) (?:auge|ohr|nasenloch)|(?:re|li)\.? auge`,
  String.raw`[œo]e?il (?:droit|gauche)|les deux yeux|occhio (?:destro|sinistro)|entrambi gli occhi`,
  String.raw`(?:each|both) (?:nostrils?|eyes?|ears?)|beide (?:augen|ohren|nasenl[oö]cher)`,
  String.raw`(?:in|into|to) (?:each|both|the)(?: \p{L}+)? (?:nostrils?|eyes?|ears?)`,
  String.raw`(?:in|je|pro|per) (?:jedes |beide |das )?(?:(?:rechte|linke)s? )?(?:nasenl[oö]ch(?:er)?|augen?|ohr(?:en)?)`,
  String.raw`dans (?:chaque|les deux|les|la|l['’])\s?(?:narines?|yeux|[œo]e?il|oreilles?)(?: (?:droite?|gauche))?`,
  String.raw`(?:in (?:ogni|ciascun[oa]?|entramb[ie] (?:gli|le))|nell['’]|negli) ?(?:naric[ei]|occhio?|orecchi[eo]?)`,
);
/** Skin: "to plaques", "auf die betroffenen Stellen". */
const SKIN = any(
  [
    String.raw`(?:to|on) (?:the )?(?:affected )?(?:areas?|skin|plaques?|rash|lesions?|face|scalp|hands?|feet|`,
    String.raw`legs?|arms?|elbows?|knees?|neck|trunk|back|nails?)`,
  ].join(''),
  String.raw`auf (?:die )?(?:betroffene[n]? )?(?:hautstellen?|stellen?|haut|areale)`,
  String.raw`sur (?:les |la )?(?:lésions?|plaques?|peau|zones? atteintes?)`,
  String.raw`sulle? (?:lesioni?|zone? (?:interessate?|colpite?)|cute|pelle)`,
);
const ROUTE = any(
  BODY_PLACE,
  String.raw`by mouth|orally|oral(?:ly)?|p\.?\s?o\.?|per os|via oral|par voie orale|per via orale|per bocca`,
  String.raw`s\.?\s?c\.?|subcutaneously|subkutan|(?:en )?sous-cutanée?|sottocute|i\.?\s?m\.?|intramuscol(?:o|are)`,
  String.raw`intramuskulär|intramuscular(?:ly)?|(?:en )?intramusculaire|endovena|e\.v\.|intravenös|intravenously|inhaled|inhalativ`,
  String.raw`sublingual(?:ly|e)?|under the tongue|rectally|rektal|vaginally|vaginal`,
  String.raw`(?:in|into|to) (?:each|both|the)(?: \p{L}+)? (?:nostrils?|eyes?|ears?|area)`,
  String.raw`(?:in|je|pro|per) (?:jedes |beide |das )?(?:nasenlöcher|nasenloch|augen?|ohr)`,
  String.raw`(?:dans|par) (?:chaque|les|la|l['’])\s?(?:narines?|yeux|oeil|oreilles?)`,
  String.raw`in (?:ogni|ciascuna) (?:narice|occhio)|per narice`,
  String.raw`(?:in|with) (?:a glass of )?water|dans (?:un verre d['’]|de l['’]|l['’])\s?eau`,
  String.raw`in (?:(?:un bicchiere d['’])?acqua)`,
  String.raw`in (?:(?:etwas|einem glas) )?wasser(?: gelöst)?`,
);

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
const NUMBER_WORD = [
  String.raw`\d{1,2}|other|second|two|three|four|six|eight|twelve|zwei|drei|vier|sechs|acht|zwölf|deux|six|`,
  String.raw`huit|otto|sei`,
].join('');
const ITALIAN_MEAL = '(?:colazione|pranzo|cena)';
const ABOUT_MEALS = any(
  String.raw`à jeun|a(?:u|ux) (?:(?:cours|moment|milieu|début) (?:du |des ))?repas`,
  String.raw`(?:avant|après|pendant|avec) (?:le |les |un |chaque )?(?:repas|petit[- ]déjeuner|déjeuner|dîner)`,
  String.raw`nüchtern`,
  [
    String.raw`(?:zum|zu den|zu jeder|vor dem|nach dem|vor den|nach den|vor jeder|mit dem) (?:essen|`,
    String.raw`mahlzeit(?:en)?|frühstück|mittagessen|abendessen)`,
  ].join(''),
  String.raw`on an empty stomach|(?:with|before|after) (?:each )?(?:food|meals?|breakfast|lunch|dinner|eating)`,
  String.raw`a digiuno|ai pasti|(?:prima|dopo|durante) (?:dei|i|di|il) pasti?`,
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
    [`${NUMBER}(?:${TO}${NUMBER})?`, String.raw`\s?(?:x|×|mal|`, String.raw`times?|fois|volt[ae]|ve(?:z|ces))`].join(
      '',
    ),
    [
      String.raw`\s?(?:\d+(?:[.,]\d)?\s?(?:\p{L}+\.?\s)?)?(?:\/\s?)?(?:pro |per |par |al |alla |a la |a |an |am |`,
      String.raw`in der |in |each |every )?${UNIT_OF_TIME}`,
    ].join(''),
  ].join(''),
  [
    String.raw`(?:once|twice|thrice) (?:a |per |every |each |in the )?(?:daily|nightly|day|week(?:ly)?|month(?:ly)?|`,
    String.raw`year(?:ly)?|morning|evening|night)`,
  ].join(''),
  String.raw`(?:ein|zwei|drei|vier)mal (?:am |pro |in der )?${UNIT_OF_TIME}`,
  // "80 mg/kg/j en 2 prises"
  [
    String.raw`(?:en|in|auf|aufgeteilt auf) ${NUMBER} (?:prises|fois|dosi|somministrazioni|(?:einzel)?(?:dosen|gaben)|`,
    String.raw`(?:divided |separate |equal )?doses)`,
  ].join(''),
  String.raw`\d\s?[x×]\s?\/\s?(?:d|j|die|tag|day|jour)\b`,
  String.raw`\d\s?[x×]\s?${DAY_PART}`,
  String.raw`[x×]\s?\d\s?\/\s?(?:d|j|die|tag|day|jour|giorno)\b`,
);
/** In "ore 8, 1 cp ore 16", 1 counts pieces. */
const NOT_PIECES = `(?!\\s?${PIECE}(?!\\p{L}))`;
const BY_THE_CLOCK = any(
  String.raw`(?:alle )?ore ${CLOCK}(?:\s?(?:,|e|-|–)\s?(?:alle )?(?:ore )?${CLOCK}${NOT_PIECES})*(?![\p{L}\d])`,
  String.raw`um ${CLOCK}(?: Uhr)?(?:\s?(?:,|und|\+)\s?(?:um )?${CLOCK}(?: Uhr)?)*(?<= Uhr)`,
  String.raw`à \d{1,2} ?h(?:\d\d)?(?:\s?(?:,|et)\s?(?:à )?\d{1,2} ?h(?:\d\d)?)*(?![\p{L}\d])`,
  String.raw`h\.? ?${CLOCK}(?:\s?(?:,|e|et|-|–)\s?h\.? ?${CLOCK})*(?![\p{L}\d])`,
  String.raw`at ${CLOCK} ?[ap]\.?m\b\.?(?:\s?(?:,|and)\s?(?:at )?${CLOCK} ?[ap]\.?m\b\.?)*`,
);
const EVERY = any(
  [
    String.raw`(?:alle|every|ogni|cada|toutes les|`,
    String.raw`tous les) (?:${NUMBER_WORD})(?:${TO}\d{1,2})?\s?${HOURS}${PERIODS}(?: [1-9](?![\p{L}\d.,]))?`,
  ].join(''),
  String.raw`every (?:other|second|third) (?:day|night|week)|every (?:hour|day|week|month)|each day`,
  String.raw`on alternate days|alternate days`,
  String.raw`jeden (?:\d\.|zweiten|dritten|2ten)? ?(?:tag|morgen|abend)|(?:un|1) jour sur (?:deux|2|trois|3)`,
  String.raw`a giorni alterni`,
  String.raw`\d{1,2}[- ]?(?:stündlich|hourly)|tous les (?:jours|matins|soirs|mois)|chaque jour`,
  String.raw`ogni (?:giorno|ora)|todos los días`,
);
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
  [
    String.raw`(?:before|vor dem|avant le|prima di|antes de) (?:bed(?:time)?|schlafen(?:gehen)?|coucher|dormire|`,
    String.raw`coricarsi|acostarse|schlafengehen)`,
  ].join(''),
  String.raw`al acostarse`,
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
  String.raw`à volonté|nach belieben|a volontà|si (?:besoin|nécessaire)|en cas de (?:besoin|douleurs?)|à la demande`,
  String.raw`en réserve|(?:als|in) reserve`,
  String.raw`al bisogno|se (?:necessario|occorre)|in riserva|si precisa|a demanda`,
);
const WHEN_NEEDED = any(
  `${IF_NEEDED}(?:,? ${AT_MOST})?`,
  [
    String.raw`(?:bei|gegen|si|en cas de|for|if|se|in caso di|per|contre) (?:starken |severe |forte )?(?:(?:kopf|`,
    String.raw`bauch|thorax|rücken)?schmerz|unruhe|angst|husten|schwindel|agitation|anxi|`,
    String.raw`fieber|übelkeit|erbrechen|atemnot|juckreiz|douleur|fièvre|nausée|vomissement|pain|fever|nausea|`,
    String.raw`wheez|breathless|itch|dolor|cris[ei]|anfall|anfällen|migräne|migraine|heartburn|sodbrennen|`,
    String.raw`verstopfung|constipation|diarrh|durchfall|angor|spasm|toux|ansia|agitazion|allerg|fiebre|febbre|tosse|`,
    String.raw`insonni)\p{L}*(?: (?:thoraciques?|abdominales?|toracic[oi]|intenses?|sévères?|importantes?|`,
    String.raw`fort[ei]))?(?: (?:ou|et|oder|und|or|and|o|`,
    String.raw`e) \p{L}{3,})?`,
  ].join(''),
  [
    String.raw`(?:nach|selon|secondo|según|as per|per|by|according to) (?:INR|quick|schema|schéma|plan|protocole|`,
    String.raw`protocollo|BZ|blutzucker|glycémie|glicemia|wirkung|anweisung|blood sugar)`,
  ].join(''),
);
/** "2 x 2", "3x1 Tbl.". */
const PIECES_BY_TIMES = [
  String.raw`(?<![\d.,])\d\s?[x×]\s?(?:\d{1,2}(?:[.,]5)?|½)(?![\p{L}\d.,]|\s?(?:cm|mm|mg|g|ml|cp|stk|st)\b)`,
].join('');

const CORE = `(?:(?<![\\p{L}\\d])|(?<=\\p{L})(?=\\/))${any(
  BY_THE_CLOCK,
  EVERY,
  AT_MOST,
  TIMES_A_DAY,
  PIECES_BY_TIMES,
  WHEN_NEEDED,
  WORDS_OF_TIME,
  ABOUT_MEALS,
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
const DIRECTIONS = new RegExp(
  [
    `(?:(?:(?:je|jeweils)\\s+)?(?:${AMOUNT}|${BARE_COUNT})(?:,?\\s+${ROUTE})?,?\\s*|${BARE_ROUTE})?${CORE}`,
    `(?:${JOIN}(?:(?:${AMOUNT}|${BARE_COUNT})(?:\\s+${ROUTE})?,?\\s*)?${CORE})*`,
    `(?:,?\\s+(?:je\\s+|jeweils\\s+)?${AMOUNT}(?!\\s?(?:x|×|fois|mal|times))(?:,?\\s+${ROUTE})?)?`,
    `(?:${CONDITION})?(?:,?\\s+(?:${BODY_PLACE}|${SKIN}|${SOME_DAYS})(?![\\p{L}]))?`,
  ].join(''),
  'iu',
);

/** "2 (two) times a day", "1 tablet (40 mg total) by mouth". */
const REPEATED_IN_WORDS = /\s\((?:one|two|three|four|five|six|eight|twelve|\d[\d.,]* ?\p{L}+ total)\)/giu;

/** What OCR makes of "1" and "½" before a piece: "l compressa", "% Tablette", "Y2 Tablette". */
const MISREAD_COUNT = new RegExp(`(?<![\\p{L}\\d])(?:([lI|])|%|[YV][2az])(?=\\s${PIECE}(?![\\p{L}]))`, 'giu');

/** Mends misread numbers of pieces; the text keeps its length. */
const withCounts = (text: string): string =>
  text.replace(MISREAD_COUNT, (misread, one?: string) => (one ? '1' : '½'.padEnd(misread.length)));

/** How often a medicine is taken, as printed: a scheme, otherwise words with the amount before them. */
export function findFrequency(text: string): { text: string; index: number } | null {
  const scheme = findScheme(text);
  if (scheme) return { text: tidyScheme(scheme[0]), index: scheme.index };
  const match = DIRECTIONS.exec(withCounts(text.replace(REPEATED_IN_WORDS, '')));
  if (!match) return null;
  return { text: match[0].replace(/[\s,;]+$/u, '').replace(/\s+/g, ' '), index: match.index };
}

/** "at headache onset", "during menses", "zum Frühstück", "auftragen": what may end directions. */
const TAIL = new RegExp(
  [
    String.raw`^\s(?:(?:at|on|to|in|into|via|using|with|without|before|after|during|around|between|beim?|vor|nach|`,
    String.raw`während|auf|`,
    String.raw`ins?|zu[mr]?|mit|ohne|à|au|aux|avant|après|avec|sans|sur|dans|lors d[eu]|con|senza|prima|dopo|`,
    String.raw`durante|su\p{L}{0,3}|nel\p{L}{0,2}|ai|alla?) (?=(?:\p{L}{1,2} )*\p{L}{3})(?:[\p{L}'’-]+ ?){1,4}|`,
    String.raw`(?:auftragen|auftropfen|einreiben|einnehmen|inhalieren|spritzen|anwenden|kleben|lutschen|gurgeln|`,
    String.raw`spülen|eincremen|einmassieren))(?=\s*(?:$|[.,;(]|\s\s|(?:für|for|x|pendant|per|während|durant|bis)\s))`,
  ].join(''),
  'iu',
);
/** "(je 5 ml)", "(dose-poids 10 kg)": how much is taken each time, in brackets behind the directions. */
const AMOUNT_IN_BRACKETS = new RegExp(
  [
    String.raw`^(?:[,;]?\s[^()\d]{0,12}\d{1,3} (?:tage?n?|days?|jours?|giorni))?[,;]?\s\(((?:je(?:weils)?|entspricht|`,
    String.raw`à|soit|pari a|dose-poids|1 dose|one dose|each)\s\d[\d.,]*\s?(?:ml|kg|mg|tropfen|gouttes|gocce|drops)|`,
    String.raw`\d[\d.,]* ?ml)(?=[),])`,
  ].join(''),
  'iu',
);
/** "Apply to affected area" before "twice daily". */
const LEAD = new RegExp(
  String.raw`^(?:apply|rub|spray|instil+|insert|spread|appliquer|étaler|applicare|stendere)(?: [\p{L}'’-]+){1,6} $`,
  'iu',
);

function amountBehind(text: string): string {
  const amount = AMOUNT_IN_BRACKETS.exec(text)?.[1];
  return amount === undefined ? '' : ` (${amount})`;
}

/**
 * How a medicine is taken, as printed in a list: the frequency with what is said of it, "twice daily to the elbows".
 * In running text, more words would follow that are about something else.
 */
export function findDirections(text: string): { text: string; index: number } | null {
  const found = findFrequency(text);
  const scheme = findScheme(text);
  if (!found) return found;
  if (scheme) {
    const each = amountBehind(text.slice(scheme.index + scheme[0].length));
    return { text: `${found.text}${each}`, index: found.index };
  }
  const printed = withCounts(text.replace(REPEATED_IN_WORDS, ''));
  const lead = LEAD.exec(printed.slice(0, found.index))?.[0] ?? '';
  const end = found.index + (DIRECTIONS.exec(printed)?.[0] ?? '').trimEnd().length;
  const tail = TAIL.exec(printed.slice(end))?.[0].trimEnd() ?? '';
  const each = amountBehind(printed.slice(end + tail.length));
  return { text: `${lead}${found.text}${tail}${each}`, index: found.index - lead.length };
}
