import { findScheme } from './dose.ts';

/** How often and how a medicine is taken, in English, German, French, Italian and Spanish, as a grammar of phrases. */
const any = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;

const SMALL = any(
  String.raw`[1-9](?:[.,]5|[½¼¾])?(?![\d.,]\d)|½|¼|¾|1\/[24]|one(?: half)?|two|three|four|five|six|half(?: an?)?`,
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
  String.raw`flaconcin[oi]|flacons?|vials?|fläschchen|misurin[oi]|mesures?|cucharadas?`,
);
/** "1 le matin", "one daily": a number without its piece. Vitamin D 3 and omega 3 have theirs in the name. */
const BARE_COUNT = `(?<!\\b(?:omega|[bdk])[ -])${COUNT}(?=\\s+\\D)`;
/** Measures of which many are taken at a time. */
const MEASURE = any(String.raw`tropfen|trpf\.?|tr\.|drops?|gtts?\.?|gouttes?|gocc(?:e|ia)|gotas?|ml`);
const AMOUNT = any(
  `${COUNT}\\s?${PIECE}(?![\\p{L}])`,
  `${COUNT} to be (?:taken|used|applied|inhaled|inserted|given)`,
  `(?<![\\p{L}\\d.,/])\\d{1,2}(?:[.,]\\d)?(?:${TO}\\d{1,2})?\\s?${MEASURE}(?![\\p{L}])`,
);
/** Eyes, ears and nostrils. */
const BODY_PLACE = any(
  String.raw`(?:in|into|to) (?:each|both|the)(?: \p{L}+)? (?:nostrils?|eyes?|ears?)`,
  String.raw`(?:in|je|pro|per) (?:jedes |beide |das )?(?:(?:rechte|linke)s? )?(?:nasenl[oö]ch(?:er)?|augen?|ohr(?:en)?)`,
  String.raw`dans (?:chaque|les deux|les|la|l['’])\s?(?:narines?|yeux|[œo]e?il|oreilles?)(?: (?:droite?|gauche))?`,
  String.raw`(?:in (?:ogni|ciascun[oa]?|entramb[ie] (?:gli|le))|nell['’]|negli) ?(?:naric[ei]|occhio?|orecchi[eo]?)`,
);
const ROUTE = any(
  BODY_PLACE,
  String.raw`by mouth|orally|oral(?:ly)?|p\.?\s?o\.?|per os|via oral|par voie orale|per via orale|per bocca`,
  String.raw`s\.?\s?c\.?|subcutaneously|subkutan|(?:en )?sous-cutanée?|sottocute|i\.?\s?m\.?|inhaled|inhalativ`,
  String.raw`sublingual(?:ly|e)?|under the tongue|rectally|rektal|vaginally|vaginal`,
  String.raw`(?:in|into|to) (?:each|both|the)(?: \p{L}+)? (?:nostrils?|eyes?|ears?|area)`,
  String.raw`(?:in|je|pro|per) (?:jedes |beide |das )?(?:nasenlöcher|nasenloch|augen?|ohr)`,
  String.raw`(?:dans|par) (?:chaque|les|la|l['’])\s?(?:narines?|yeux|oeil|oreilles?)`,
  String.raw`in (?:ogni|ciascuna) (?:narice|occhio)|per narice`,
);

const CLOCK = String.raw`\d{1,2}(?:[.:]\d\d)?`;
const UNIT_OF_TIME = any(
  String.raw`tag|täglich|tägl\.?|tgl\.?|woche|wöchentlich|monat(?:lich)?|jahr|jährlich|daily|day|d\b|week(?:ly)?|wk`,
  String.raw`months?(?:ly)?|year|die|dì|giorno|giornaliera?|jour|j\b|semaine|mois|settimana|mese|día|semana|24 ?h`,
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
const ABOUT_MEALS = any(
  String.raw`à jeun|a(?:u|ux) (?:cours du |moment du )?repas`,
  String.raw`(?:avant|après|pendant|avec) (?:le |les |un |chaque )?repas`,
  String.raw`nüchtern`,
  [
    String.raw`(?:zum|zu den|zu jeder|vor dem|nach dem|vor den|nach den|vor jeder|mit dem) (?:essen|`,
    String.raw`mahlzeit(?:en)?|frühstück|mittagessen|abendessen)`,
  ].join(''),
  String.raw`on an empty stomach|(?:with|before|after) (?:each )?(?:food|meals?|breakfast|lunch|dinner|eating)`,
  String.raw`a digiuno|ai pasti|(?:prima|dopo|durante) (?:dei|i|di|il) pasti?`,
  String.raw`(?:prima di|dopo) (?:colazione|pranzo|cena)|a stomaco (?:vuoto|pieno)|en ayunas`,
  String.raw`con (?:las )?comidas?`,
);
/** Parts of the day that French, Italian and Spanish use without more words. */
const DAY_PART = any(
  String.raw`(?:le |au |chaque )?(?:matin|midi|soir|coucher|lever|petit[- ]déjeuner|déjeuner|dîner|goûter)`,
  String.raw`(?:al |alla |la |il |ogni )?(?:mattin[oa]|mezzogiorno|sera|notte)|a (?:colazione|pranzo|cena)`,
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
    String.raw`(?:once|twice|thrice) (?:a |per |every |each |in the )?(?:daily|day|week(?:ly)?|month(?:ly)?|`,
    String.raw`year(?:ly)?|morning|evening|night)`,
  ].join(''),
  String.raw`(?:ein|zwei|drei|vier)mal (?:am |pro |in der )?${UNIT_OF_TIME}`,
  String.raw`\d\s?[x×]\s?\/\s?(?:d|j|die|tag|day|jour)\b`,
  String.raw`\d\s?[x×]\s?${DAY_PART}`,
  String.raw`[x×]\s?\d\s?\/\s?(?:d|j|die|tag|day|jour|giorno)\b`,
);
const BY_THE_CLOCK = any(
  String.raw`(?:alle )?ore ${CLOCK}(?:\s?(?:,|e|-|–)\s?(?:alle )?(?:ore )?${CLOCK})*(?![\p{L}\d])`,
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
  String.raw`(?:par|\/) ?(?:jour|j\b|semaine|mois|24 ?h(?:eures)?)|quotidienne(?:ment)?`,
  String.raw`(?:al|pro|\/) ?(?:giorno|dì|die)|die\b(?=[ ,.;]|$)|alla settimana|al día|diari[oa](?:mente)?`,
  String.raw`o\.?d\.?|b\.?i\.?d\.?|b\.?d\.?|t\.?i\.?d\.?|t\.?d\.?s\.?|q\.?i\.?d\.?|q\.?d\.?s\.?|q\.?d\.?`,
  String.raw`q\.?h\.?s\.?|h\.s\.|q\s?\d{1,2}(?:-\d{1,2})?\s?h(?:rs?)?|nocte|mane|stat|p\.?r\.?n\.?`,
  [
    String.raw`(?:before|vor dem|avant le|prima di|antes de) (?:bed(?:time)?|schlafen(?:gehen)?|coucher|dormire|`,
    String.raw`coricarsi|acostarse|schlafengehen)`,
  ].join(''),
  String.raw`al acostarse`,
  String.raw`(?:on |am |le |il )?${DAY_NAME}(?:\s?(?:,|and|und|et|e)\s?${DAY_NAME})*`,
);
const AT_MOST = [
  String.raw`(?:up to|max(?:imum|imal|imo)?\.?|massimo|maximal|jusqu['’]à|bis(?: zu)?|höchstens|fino a|`,
  String.raw`au maximum|no more than) ${NUMBER}\s?(?:${PIECE}\s?)?(?:x\s?|times\s|fois\s|volte\s|`,
  String.raw`mal\s)?(?:a |an |per |pro |par |al |am |in |\/\s?)?${UNIT_OF_TIME}`,
].join('');
const IF_NEEDED = any(
  String.raw`(?:as|if|when|where) (?:needed|required|necessary)|as directed`,
  String.raw`(?:bei|nach) bedarf|b\.\s?b(?:ed)?\.|bei bed\.|b\. ?bed\.`,
  String.raw`si (?:besoin|nécessaire)|en cas de (?:besoin|douleurs?)|à la demande|en réserve|(?:als|in) reserve`,
  String.raw`al bisogno|se (?:necessario|occorre)|in riserva|si precisa|a demanda`,
);
const WHEN_NEEDED = any(
  `${IF_NEEDED}(?:,? ${AT_MOST})?`,
  [
    String.raw`(?:bei|gegen|si|en cas de|for|if|se|in caso di|per|contre) (?:starken |severe |forte )?(?:schmerz|`,
    String.raw`fieber|übelkeit|erbrechen|atemnot|juckreiz|douleur|fièvre|nausée|vomissement|pain|fever|nausea|`,
    String.raw`wheez|breathless|itch|dolor|fiebre|febbre|tosse|insonni)\p{L}*(?: (?:ou|et|oder|und|or|and|o|`,
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

const CORE = `(?<![\\p{L}\\d])${any(
  BY_THE_CLOCK,
  EVERY,
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
  String.raw`dann|then|puis|poi)\b)`,
].join('');
const CONDITION = [
  String.raw`,?\s*\(?(?:${ABOUT_MEALS}|(?:si|en cas de|bei|wenn|if|for|pour|se|in caso di|per|gegen)\s+(?!\d)`,
  String.raw`${NOT_A_CONDITION}\p{L}{3,}(?: ${NOT_A_CONDITION}\p{L}+)?`,
  String.raw`(?:,? (?:ou|et|oder|und|or|and|o|e) \p{L}{3,})?)\)?(?!\p{L})`,
].join('');
const JOIN = String.raw`\s?(?:,|;|und|and|et|e|y|\+|&|\/|-)?\s?`;
const VERB = any(
  String.raw`take|apply|inhale|inject|use|chew|give|prendre|prenez|assumere|prendere|einnehmen|nehmen sie|tomar`,
  String.raw`je|jeweils`,
);
/** "5 jours sur 7". */
const SOME_DAYS = any(
  String.raw`[1-6] (?:jours? sur 7|days? (?:out )?of 7|days? (?:a|per) week|giorni su 7|giorni alla settimana)`,
  String.raw`(?:an )?[1-6] (?:von 7 tagen|tagen? (?:die|pro) woche|jours? par semaine)`,
);
const DIRECTIONS = new RegExp(
  [
    `(?:(?:${VERB}\\s+)?(?:${AMOUNT}|${BARE_COUNT})(?:,?\\s+${ROUTE})?,?\\s*)?${CORE}`,
    `(?:${JOIN}(?:(?:${AMOUNT}|${BARE_COUNT})(?:\\s+${ROUTE})?,?\\s*)?${CORE})*`,
    `(?:,?\\s+(?:je\\s+|jeweils\\s+)?${AMOUNT}(?!\\s?(?:x|×|fois|mal|times))(?:,?\\s+${ROUTE})?)?`,
    `(?:${CONDITION})?(?:,?\\s+(?:${BODY_PLACE}|${SOME_DAYS})(?![\\p{L}]))?`,
  ].join(''),
  'iu',
);

/** "2 (two) times a day", "1 tablet (40 mg total) by mouth". */
const REPEATED_IN_WORDS = /\s\((?:one|two|three|four|five|six|eight|twelve|\d[\d.,]* ?\p{L}+ total)\)/giu;

/** How often a medicine is taken, as printed: a scheme, otherwise words with the amount before them. */
export function findFrequency(text: string): { text: string; index: number } | null {
  const scheme = findScheme(text);
  if (scheme) return { text: scheme[0].replace(/\s/g, '').replace(/[–—]/g, '-'), index: scheme.index };
  const match = DIRECTIONS.exec(text.replace(REPEATED_IN_WORDS, ''));
  if (!match) return null;
  return { text: match[0].replace(/[\s,;]+$/u, ''), index: match.index };
}
