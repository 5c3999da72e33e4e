/** What codes of modalities mean (PS3.3, C.7.3.1.1.1), in words by which people search. */
const MODALITIES: Readonly<Record<string, string>> = {
  BMD: 'bone density',
  CR: 'X-ray',
  CT: 'computed tomography',
  DX: 'X-ray',
  ECG: 'electrocardiogram',
  ES: 'endoscopy',
  IO: 'dental X-ray',
  MG: 'mammography',
  MR: 'MRI',
  NM: 'scintigraphy',
  OCT: 'optical coherence tomography',
  OPT: 'optical coherence tomography',
  PT: 'PET',
  PX: 'dental X-ray',
  RF: 'X-ray fluoroscopy',
  US: 'ultrasound',
  XA: 'X-ray angiography',
};
/** Body parts whose code is not the word itself (PS3.16, annex L). */
const BODY_PARTS: Readonly<Record<string, string>> = {
  CSPINE: 'cervical spine',
  LSPINE: 'lumbar spine',
  LSSPINE: 'lumbar spine',
  SSPINE: 'sacral spine',
  TSPINE: 'thoracic spine',
  TLSPINE: 'thoracic lumbar spine',
  HEADNECK: 'head neck',
  CTSPINE: 'cervical thoracic spine',
  UPRLEG: 'thigh',
  LOWLEG: 'lower leg',
  TMJ: 'jaw',
};

/** Words for the codes of an imaging study. The search knows them in other languages. */
export function studyWords({ modality, bodyPart }: { modality: string | null; bodyPart: string | null }): string {
  const part =
    bodyPart
      ?.trim()
      .toUpperCase()
      .replace(/[\s_-]/g, '') ?? '';
  return [MODALITIES[modality?.trim().toUpperCase() ?? ''], BODY_PARTS[part] ?? bodyPart?.toLowerCase()]
    .filter(Boolean)
    .join(' ');
}
