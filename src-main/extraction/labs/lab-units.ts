/**
 * Units in which tests are reported, for units that OCR damaged and for bounds that lost their comparator. Names folded, a name stands
 * for all that begin with it. Sources: customary and SI units of the European and North American laboratory catalogues. Data.
 */
export const USUAL_UNITS: readonly (readonly [units: readonly string[], names: readonly string[]])[] = [
  [['µmol/L', 'mg/dL', 'mg/L'], ['creatinin', 'kreatinin', 'serum creatinin', 'bilirubin', 'total bilirubin', 'direct bilirubin', 'gesamtbilirubin', 'direktes bilirubin', 'uric acid', 'urate', 'harnsaure', 'acide uriqu', 'uricemi', 'acido urico', 'creatininemi']],
  [['µmol/L', 'µg/dL'], ['iron', 'eisen', 'fer', 'ferro', 'sideremi', 'ammoni', 'zinc', 'zink', 'zinco', 'zincemi', 'copper', 'kupfer', 'cuivr', 'rame', 'homocystein', 'homocysteine', 'omocistein', 'selen']],
  [['mmol/L', 'mEq/L', 'mval/L'], ['sodium', 'natrium', 'natremi', 'sodio', 'sodiemi', 'potassium', 'kalium', 'kaliemi', 'potassio', 'potassiemi', 'chlorid', 'chlor', 'cloro', 'cloruremi', 'bicarbonat', 'bikarbonat', 'lactat', 'laktat', 'lattat', 'anion gap']],
  [['mmol/L', 'mg/dL', 'mg/L', 'g/L'], ['calcium', 'kalzium', 'calcio', 'calcemi', 'magnes', 'phosphat', 'phosphor', 'fosfat', 'fosfor', 'urea', 'harnstoff', 'uree', 'azotemi', 'glucos', 'glukos', 'glycemi', 'glicemi', 'blutzucker', 'nuchternblutzucker', 'fasting glucos', 'plasma glucos', 'cholest', 'colest', 'gesamtcholest', 'total cholest', 'hdl', 'ldl', 'non hdl', 'triglycer', 'triglyz', 'triglicer']],
  [['U/L', 'IU/L', 'UI/L', 'µkat/L'], ['alt', 'alat', 'gpt', 'sgpt', 'tgp', 'ast', 'asat', 'got', 'sgot', 'tgo', 'ggt', 'gamma g', 'alkaline phosphatas', 'alkalische phosphatas', 'phosphatase', 'fosfatasi', 'alp', 'pal', 'ap', 'lipas', 'amylas', 'amilas', 'ldh', 'lactate deh', 'laktatdeh', 'lattato deid', 'ck', 'cpk', 'creatine kinas', 'creatinkinas', 'kreatinkinas', 'creatinchinas', 'cholinesteras', 'transaminas', 'alanine', 'aspartate']],
  [['g/dL', 'g/L', 'mmol/L'], ['hemoglobin', 'haemoglobin', 'hamoglobin', 'emoglobin', 'hb', 'hgb', 'mchc', 'ccmh']],
  [['%', 'L/L'], ['hematocrit', 'haematocrit', 'hamatokrit', 'ematocrit', 'hct', 'hkt', 'hte']],
  [['G/L', '10^9/L', '10^3/µL', '/µL', 'K/µL', 'Tsd/µL', '%'], ['leuk', 'leuc', 'white', 'wbc', 'globules blancs', 'globuli bianchi', 'platelet', 'plt', 'thrombo', 'plaquettes', 'piastrin', 'neutro', 'lympho', 'linfo', 'mono', 'eosino', 'baso', 'granulo']],
  [['T/L', '10^12/L', '10^6/µL', 'Mio/µL', 'M/µL'], ['erythrozyt', 'erythrocyt', 'eritrocit', 'red cell', 'red blood', 'rbc', 'globules rouges', 'globuli rossi', 'hematies', 'ery']],
  [['‰', '%', 'G/L'], ['reti']],
  [['fL'], ['mcv', 'vgm', 'mpv', 'vpm']], [['pg', 'fmol'], ['mch', 'tcmh']], [['%'], ['rdw', 'idr', 'quick', 'taux de prothrombin', 'transferrin satur', 'transferrinsatt', 'saturazion', 'coefficient de saturation']],
  [['mg/L', 'mg/dL'], ['crp', 'c reactiv', 'c reaktiv', 'proteine c', 'proteina c', 'pcr', 'hs crp', 'cystatin']],
  [['µg/L', 'ng/mL'], ['ferritin', 'procalcitonin', 'pct', 'psa', 'cea', 'afp', 'alpha f', 'antigen carcino', 'carcinoembryo', 'thyroglobulin', 'calcitonin', 'digoxin', 'tacrolimus']],
  [['µg/L', 'ng/mL', 'mg/L', 'µg/mL'], ['d dimer', 'ddimer', 'd dimere']],
  [['ng/L', 'pg/mL', 'µg/L', 'ng/mL'], ['troponin', 'high sens', 'hs troponin', 'nt pro', 'bnp', 'n terminal']],
  [['mm/h'], ['esr', 'bsg', 'blutsenk', 'sedimentation', 'vitesse de s', 'ves', 'vs']],
  [['mU/L', 'µIU/mL', 'mIU/L', 'µU/mL', 'mUI/L', 'µUI/mL'], ['tsh', 'thyrotropin', 'insulin', 'fasting insulin', 'prola']],
  [['pmol/L', 'ng/dL', 'ng/L', 'pg/mL'], ['ft4', 'free t4', 'freies t4', 't4 l', 'thyroxin', 'ft3', 'free t3', 'freies t3', 't3 l', 'triiod', 'trijod', 'tiroxin', 'pth', 'parat', 'parathormon']],
  [['pmol/L', 'pg/mL', 'ng/L'], ['vitamin b12', 'vitamine b12', 'vitamina b12', 'cobalamin', 'holotrans', 'estradiol', 'ostradiol', 'oestradiol']],
  [['nmol/L', 'ng/mL', 'µg/L'], ['25 oh', 'vitamin d', 'vitamine d', 'vitamina d', 'folat', 'folsaure', 'acide foliq', 'acido folico', 'folic', 'cortisol', 'kortisol', 'testoster']],
  [['kU/L', 'U/mL'], ['ca 125', 'ca 19', 'ca 15', 'ca125', 'ca19', 'ca15']], [['kIU/L', 'IU/mL', 'kU/L', 'U/mL'], ['anti tpo', 'tpo', 'rheum', 'rf', 'facteur rhum', 'fattore reum', 'trak', 'latex']],
  [['IU/L', 'U/L', 'mIU/mL', 'UI/L', 'mUI/mL'], ['fsh', 'lh', 'follic', 'luteinis', 'lutropin', 'beta hcg', 'hcg']],
  [['g/L', 'g/dL', 'mg/L'], ['albumin', 'total protein', 'gesamteiw', 'gesamtprot', 'proteines tot', 'protidemi', 'proteine tot', 'transferrin', 'siderophil', 'fibrinogen', 'haptoglob', 'aptoglob']],
  [['mL/min/1.73m2', 'mL/min'], ['egfr', 'gfr', 'dfg', 'estimated gfr', 'vfg', 'filtrat', 'clairance', 'clearance']],
  [['s'], ['aptt', 'ptt', 'tca', 'thrombinz', 'cephalin', 'temps de', 'prothrombin time', 'tempo di']],
  [['mg/mmol', 'mg/g'], ['albumin creat', 'albumin krea', 'albumine creat', 'urine albumin', 'microalb', 'mikroalb', 'albumina urin', 'urine protein', 'protein krea', 'rapport prot', 'rapport alb']],
  [['mmol/mol', '%'], ['hba1c', 'glykoh', 'hemoglobine gly', 'emoglobina gli', 'glycated']],
];

/** Tests of which a laboratory prints only the lowest normal value. Folded beginnings. */
export const LOWER_BOUND_TESTS: readonly string[] = ['egfr', 'gfr', 'dfg', 'estimated gfr', 'vfg', 'filtrat', 'clairance', 'clearance', 'hdl', 'cholesterol hdl', 'colesterolo hdl', 'cholesterin hdl', 'vitamin d', 'vitamine d', 'vitamina d', '25 oh', 'anti hbs', 'quick', 'antithrombin', 'spo2', 'o2 sat', 'sattigung', 'holotrans', 'taux de prothrombin', 'folat', 'folsaure', 'vitamin b12'];
