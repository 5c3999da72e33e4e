/** What therapists and other professions without the title of a doctor are called, in the four languages. */
const PROFESSION = new RegExp(
  [
    String.raw`(?<!\p{L})(?:physio-?therapist|physio-?therapeut(?:in)?|(?:masseur-)?kinésithérapeute|physiothérapeute|`,
    String.raw`fisioterapista|osteopath(?:in)?|ostéopathe|osteopata|chiropractor|chiropraktiker(?:in)?|`,
    String.raw`occupational therapist|ergotherapeut(?:in)?|ergothérapeute|ergoterapista|terapista occupazionale|`,
    String.raw`speech (?:and language )?therapist|logopäd(?:e|in)|orthophoniste|logopedist[ae]?|podiatrist|`,
    String.raw`podolog(?:e|in|o|a|ue)|psychotherap(?:ist|eut|eutin)|psychothérapeute|psicoterapeuta|psychologist|`,
    String.raw`psycholog(?:e|in|ue)|psicolog[oa]|dieti[ct]ian|diététicien(?:ne)?|dietista|ernährungsberater(?:in)?|`,
    String.raw`midwife|hebamme|sage-femme|ostetrica|audiologist|optometrist|sonographer|radiographer|orthoptist(?:in)?|`,
    String.raw`orthoptiste)(?!\p{L})`,
  ].join(''),
  'iu',
);
/** A name before the profession, with degrees and words such as "Chartered" or "dipl." between. */
const NAME_BEFORE = new RegExp(
  [
    String.raw`^(\p{Lu}\p{Ll}[\p{L}'’-]*(?: (?:(?:von|van|de|di|du) )?\p{Lu}\p{Ll}[\p{L}'’-]*){1,2})`,
    String.raw`(?:,? \p{Lu}[\p{L}]{0,3}\p{Lu})*(?:,| [–—-])?`,
    String.raw`(?: (?:[Cc]hartered|[Rr]egistered|[Ss]pecialist|[Ss]enior|[Cc]linical|[Dd]ipl\.?|[Ll]eitender?))*\s?$`,
  ].join(''),
  'u',
);

/** The name at the start of a text that says what kind of therapist it is; null if there is none. */
export function therapistIn(text: string): string | null {
  const at = PROFESSION.exec(text)?.index ?? 0;
  return NAME_BEFORE.exec(text.slice(0, at))?.[1] ?? null;
}
