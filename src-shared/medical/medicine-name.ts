import { foldTerm } from './name-fold.ts';

/** The end of a printed medicine, from the dose on: `40 mg Filmtabl.`, `100/25`, `0,5 %`. */
const DOSE = new RegExp(
  [
    String.raw`\s(?:\d+(?:[.,'’]\d+)*\s?(?:mg|g|mcg|[µμ]g|ug|ng|ml|cl|l|i\.?e\.?|u\.?i\.?|iu|e|u|mmol|meq|mval|%|‰|`,
    String.raw`mbq|stk|st)\b|\d+(?:[.,]\d+)?\s?[/×x]\s?\d|\d+(?:[.,]\d+)?\s*$|\d{2,}(?:[.,]\d+)?\b).*$`,
  ].join(''),
  'iu',
);
const FORMS = new RegExp(
  [
    String.raw`\b(?:film ?tabletten?|film ?tabl?|ftbl|film ?tab|filmtbl|tabletten?|tablets?|tabl?|tbl|tabs?|`,
    String.raw`comprimes?|cpr|cp|compresse|compressa|cps|capsules?|caps?|kapseln?|kaps|gelules?|capsul[ae]|retard|`,
    String.raw`ret|depot|depottabl?|xr|er|sr|xl|la|mr|lp|rp|mut|uno|oros|tropfen|drops|gouttes|gocce|sirup|syrup|`,
    String.raw`sirop|sciroppo|losung|loesung|solution|soluzione|suspension|salbe|creme|cream|creme|gel|pommade|`,
    String.raw`unguento|crema|pflaster|patch|cerotto|spray|nasenspray|inhaler|dosieraerosol|turbuhaler|diskus|`,
    String.raw`respimat|fertigpen|pen|flexpen|solostar|kwikpen|fertigspritze|inj|injektion|iniezione|injectable|`,
    String.raw`amp|ampullen|ampoules|zapfchen|zaepfchen|supp|suppositoires?|supposte|brausetabletten?|brausetabl|`,
    String.raw`schmelztabletten?|lutschtabletten?|beutel|sachets?|bustine|augentropfen|collyre|collirio|kps|drg|`,
    String.raw`dragees?|mups|expidet|dispers|dispersible|akut|acute|oral|oral[ei]|iv|sc|im|plv|pulver|granulat)\b`,
  ].join(''),
  'gu',
);
const SALTS = new RegExp(
  [
    String.raw`\b(?:hydrochlorid[e]?|hydrochloridum|hydrochloricum|chlorhydrate(?: de)?|cloridrato(?: di)?|hcl|`,
    String.raw`hydrobromid[e]?|bromhydrate(?: de)?|bromidrato(?: di)?|maleat[e]?|maleas|maleato|besilat[e]?|`,
    String.raw`besylate|besilas|besilato|mesilat[e]?|mesylate|mesilas|mesilato|tartrat[e]?|tartras|tartrato|`,
    String.raw`succinat[e]?|succinas|succinato|fumarat[e]?|fumaras|fumarato|hemifumarat[e]?|sulfat[e]?|sulfas|`,
    String.raw`solfato|phosphat[e]?|phosphas|fosfato|citrat[e]?|citras|citrato|acetat[e]?|acetas|acetato|sodique|`,
    String.raw`sodico|sodica|natricum|dinatrium|potassique|calcique|calcicum|medoxomil|cilexetil|cilexetilum|`,
    String.raw`arginin[e]?|erbumin[e]?|dihydrat[e]?|trihydrat[e]?|monohydrat[e]?|sesquihydrat[e]?|anhydricum|`,
    String.raw`magnesicum|axetil|etexilat[e]?)\b`,
  ].join(''),
  'gu',
);
/** Minerals are distinguished by their salt: magnesium citrate and sulphate are two medicines. */
const MINERAL = new RegExp(
  [
    String.raw`^(?:de )?(?:magnesium|magnesio|calcium|kalzium|calcio|eisen|iron|fer|ferro|ferrous|ferric|ferreux|`,
    String.raw`ferroso|zinc|zink|zinco|kalium|potassium|potassio|natrium|sodium|sodio|aluminium|alluminio)$`,
  ].join(''),
);
/** Manufacturers and wholesalers whose names follow that of a generic. */
const MANUFACTURERS = new RegExp(
  [
    String.raw`\b(?:mepha|sandoz|helvepharm|spirig(?: hc)?|zentiva|streuli|ratiopharm|hexal|stada|teva|mylan|`,
    String.raw`viatris|biogaran|arrow|heumann|actavis|axapharm|axa|pfizer|1a pharma|al|abz|aristo|accord|krka|`,
    String.raw`xiromed|orion|devatis|cristers|zydus|doc generici|doc|eg|almus|abc|aurobindo|sanofi|novartis|roche|`,
    String.raw`bayer|gsk|basics|winthrop|neuraxpharm|beta|betapharm|ct|dura|lich|wolff|lindopharm|puren|tad|`,
    String.raw`glenmark|dexcel|hennig|fair med|g l|genericon|amavita|sun ?store|coop vitality|labatec|sintetica|`,
    String.raw`bichsel|drossapharm|vifor|fresenius|kabi|braun)\b`,
  ].join(''),
  'gu',
);

/**
 * Returns the folded forms under which a printed medicine may be known, closest to the printed name first: as printed,
 * without dose and form, without the manufacturer and without the salt. `Metformin-Mepha Filmtabl. 500 mg` → …,
 * `metformin`.
 */
export function medicineNameForms(printed: string): string[] {
  const text = printed.trim().replace(/[®™]/g, ' ').replace(/\s+/g, ' ');
  const withoutDose = text.replace(/[([][^)\]]*[)\]]/g, ' ').replace(DOSE, '');
  const plain = collapseSpaces(foldTerm(withoutDose).replace(FORMS, ' '));
  const generic = collapseSpaces(plain.replace(MANUFACTURERS, ' '));
  const withoutSalt = collapseSpaces(generic.replace(SALTS, ' '));
  const base = MINERAL.test(withoutSalt) ? generic : withoutSalt;
  const forms = [foldTerm(text), foldTerm(withoutDose), plain, generic, base, generic.replace(/^co /, 'co')];
  return [...new Set(forms)].filter((form) => form !== '');
}

const collapseSpaces = (folded: string): string => folded.replace(/\s+/g, ' ').trim() || folded.trim();
