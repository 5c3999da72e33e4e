/** Words for how much of a medicine is taken at a time, and where: parts of the grammar of directions. */

export const any = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;

export const SMALL = any(
  String.raw`[1-9](?:[.,]5|[½¼¾])?(?![\d.,]\d)|½|¼|¾|[13]\/[24]|one(?: half)?|two|three|four|five|six|half(?: an?)?`,
  String.raw`ein(?:e[nr]?)?|zwei|drei|vier|fünf|eine? halbe|halbe`,
  String.raw`une?|deux|trois|quatre|cinq|demi-?|un[oa]?|due|tre|quattro|mezz[oa]|dos|tres|cuatro|medi[oa]`,
);
export const NUMBER = any(String.raw`\d{1,2}`, SMALL);
export const TO = String.raw`\s?(?:-|–|to|bis|à|ou|oder|or|o|a)\s?`;
const AND_A_HALF = any(String.raw`\s(?:e|et|and|und|\+)\s(?:1/2|½|an? half|mezz[oa]|demie?|halbe)`);
const COUNT = `(?<![\\p{L}\\d.,/])${SMALL}(?:${TO}${SMALL}|${AND_A_HALF})?`;
/** Pieces of which few are taken at a time. */
export const PIECE = any(
  String.raw`(?:film|kau|brause|retard)?tabl?(?:et(?:te)?)?[sn]{0,2}\.?|tbl\.?|tabs?\.?|caplets?|lozenges?`,
  String.raw`comprim[ée]s?|comprimidos?|compress[ae]|cpr?s?\.?|cps\.?|confett[oi]|pastill[ae]s?|dragées?|drg\.?`,
  String.raw`kaps(?:el)?n?\.?|kps\.?|caps?(?:ule)?s?\.?|capsul[ae]|cápsulas?|gél(?:ule)?s?\.?`,
  String.raw`puffs?|(?:actuation|inhalation|spray|squirt)s?|hub|hübe|hüben|sprühst[oö](?:ß|ss)e?n?|inhalation(?:en)?`,
  String.raw`bouffées?|pulvérisations?|inhalaciones|inalazion[ei]|spruzz[oi]|puff|erogazion[ei]|nebulizzazion[ei]`,
  String.raw`sachets?|beutel|btl\.?|bustin[ae]|sobres?|pflaster|patch(?:es)?|cerott[oi]|parches?`,
  String.raw`suppositor(?:y|ies)|supp\.?|zäpfchen|suppositoires?|suppost[ae]|supositorios?`,
  String.raw`ampulle[n]?|amp\.?|ampoules?|fial[ae]|fl\.?(?!\p{L})|injections?|injektion(?:en)?|spritzen?|pens?|doses?|dosis|dosi`,
  String.raw`applications?|anwendung(?:en)?|applicazion[ei]|stück|stk\.?|st\.|teaspoons?|tsp\.?|tablespoons?`,
  String.raw`messlöffel|(?:tee|ess)löffel|cuill(?:ère|er)(?:es)?(?: à (?:café|soupe)|-mesures?)?`,
  String.raw`cucchiai(?:o|ni|no)?`,
  String.raw`co\.?(?=[\s/])|doses?[- ](?:poids|kg)|sciacqu[oi]|bains? de bouche|pumps?|pressions?|globul[ei]|perles?`,
  String.raw`flaconcin[oi]|flacon[ei]|flacons?|vials?|fläschchen|misurin[oi]|mesures?|cucharadas?`,
  String.raw`dosettes?|unidoses?|scoops?|pessar(?:y|ies)|applicatorfuls?|(?:\d+ ?ml )?spoonfuls?|ovules?|ovul[oi]|nebules?`,
  String.raw`iniezion[ei]|puntur[ae]`,
  String.raw`prises?|messbecher|klistiere?|lavements?|clisteri?|brausetabl(?:ette)?n?|schmelztabl(?:ette)?n?`,
);
/** "1 le matin", "one daily": a number without its piece. Vitamin D 3 and omega 3 have theirs in the name. */
export const BARE_COUNT = `(?<!\\b(?:omega|[bdk])[ -])${COUNT}(?=\\s+\\D)`;
/** Measures of which many are taken at a time. */
export const MEASURE = any(String.raw`tropfen|trpf\.?|tr\.|drops?|gtts?\.?|gouttes?|gocc(?:e|ia)|gotas?|ml`);
/** "1 comprimé effervescent par jour", "1 application locale". */
const KIND_OF_PIECE = [
  String.raw`(?:\s(?:effervescente?s?|orodispersibil[ei]?s?|orodispersibles?|gastro-?résistante?s?|`,
  String.raw`gastroresistent[ei]|locale?|sécables?|sublingual[ei]?s?|sous-cutanée?s?|sottocut(?:e|anea)))?`,
].join('');
const UNITS = any('units?', 'einheiten', 'unités?', 'unità', String.raw`i\.?[eu]\.?`, String.raw`u\.?i\.?`);
/** Units of insulin and its like. */
export const UNITS_AT_A_TIME = `(?<![\\p{L}\\d.,/-])\\d{1,3}\\s?${UNITS}(?![\\p{L}\\d/])`;
export const AMOUNT = any(
  UNITS_AT_A_TIME,
  `${COUNT}\\s?${PIECE}${KIND_OF_PIECE}(?![\\p{L}])`,
  `${COUNT} to be (?:taken|used|applied|inhaled|inserted|given)`,
  `${COUNT}\\s?${MEASURE}(?![\\p{L}])`,
  `(?<![\\p{L}\\d.,/])\\d{1,2}(?:[.,]\\d)?(?:${TO}\\d{1,2})?\\s?${MEASURE}(?![\\p{L}])`,
);
/** "PO daily", "s.c. 1x wöchentlich": a route in front of the frequency, without an amount. */
export const BARE_ROUTE = [
  String.raw`(?<![\p{L}\d])(?:p\.?o\.?|by mouth|orally|per os|s\.?c\.?|s\.?l\.?|i\.?m\.?|subkutan|`,
  String.raw`subcutaneously)\s+`,
].join('');
/** Eyes, ears and nostrils. */
export const BODY_PLACE = any(
  String.raw`(?:right|left) (?:eye|ear|nostril)|(?:rechtes|linkes) (?:auge|ohr|nasenloch)|(?:re|li)\.? auge`,
  String.raw`[œo]e?il (?:droit|gauche)|les deux yeux|occhio (?:destro|sinistro)|entrambi gli occhi`,
  String.raw`(?:each|both) (?:nostrils?|eyes?|ears?)|beide (?:augen|ohren|nasenl[oö]cher)`,
  String.raw`(?:in|into|to|on) (?:the |your )?(?:right|left|affected) (?:eye|ear|nostril|side)s?|per nostril`,
  String.raw`(?:in|into|to) (?:each|both|the)(?: \p{L}+)? (?:nostrils?|eyes?|ears?)`,
  String.raw`(?:in|je|pro|per) (?:jedes |beide |das )?(?:(?:rechte|linke|betroffene)s? )?(?:nasenl[oö]ch(?:er)?|augen?|ohr(?:en)?)`,
  String.raw`dans (?:chaque|les deux|les|la|l['’])\s?(?:narines?|yeux|[œo]e?il|oreilles?)(?: (?:droite?|gauche))?`,
  [
    String.raw`(?:in (?:ogni|ciascun[oa]?|entramb[ie] (?:gli|le))|nell['’]|negli|per) ?(?:naric[ei]|occhio?|`,
    String.raw`orecchi[eo]?)(?: (?:destr|sinistr)[oa])?`,
  ].join(''),
  // Both eyes or the left one, as eye doctors write: "1 goccia alla sera OO", "ODG".
  String.raw`o[osug]|od[gs]`,
  String.raw`par narine|par [œo]e?il|dans (?:le nez|l['’][œo]e?il (?:droit|gauche))`,
);
/** Skin: "to plaques", "auf die betroffenen Stellen". */
export const SKIN = any(
  [
    String.raw`(?:to|on) (?:the )?(?:affected )?(?:areas?|skin|plaques?|rash|lesions?|face|scalp|hands?|feet|`,
    String.raw`legs?|arms?|elbows?|knees?|neck|trunk|back|nails?)`,
  ].join(''),
  String.raw`auf (?:die )?(?:betroffene[n]? )?(?:hautstellen?|stellen?|haut|areale)`,
  String.raw`sur (?:les |la )?(?:lésions?|plaques?|peau|zones? atteintes?)`,
  String.raw`sulle? (?:lesioni?|zone? (?:interessate?|colpite?)|cute|pelle)`,
);
export const ROUTE = any(
  BODY_PLACE,
  String.raw`under the skin|into (?:the )?(?:skin|thigh|abdomen)|par la bouche|by inhalation|intranasal(?:ly)?|topically`,
  String.raw`by mouth|orally|oral(?:ly)?|p\.?\s?o\.?|per os|via oral|par voie orale|per via orale|per bocca`,
  String.raw`s\.?\s?c\.?|subcutaneously|subkutan|(?:en )?sous-cutanée?|sottocute|i\.?\s?m\.?|intramuscol(?:o|are)`,
  String.raw`intramuskulär|intramuscular(?:ly)?|(?:en )?intramusculaire|endovena|e\.v\.|intravenös|intravenously|inhaled|inhalativ`,
  String.raw`sublingual(?:ly|e)?|under the tongue|sous la langue|unter die zunge|sotto la lingua|rectally|rektal|vaginally|vaginal`,
  String.raw`(?:in|into|to) (?:each|both|the)(?: \p{L}+)? (?:nostrils?|eyes?|ears?|area)`,
  String.raw`(?:in|je|pro|per) (?:jedes |beide |das )?(?:nasenlöcher|nasenloch|augen?|ohr)`,
  String.raw`(?:dans|par) (?:chaque|les|la|l['’])\s?(?:narines?|yeux|oeil|oreilles?)`,
  String.raw`in (?:ogni|ciascuna) (?:narice|occhio)|per narice`,
  String.raw`(?:in|with) (?:a glass of )?water|dans (?:un verre d['’]|de l['’]|l['’])\s?eau`,
  String.raw`in (?:(?:un bicchiere d['’])?acqua)`,
  String.raw`in (?:(?:etwas|einem glas) )?wasser(?: gelöst)?`,
);
