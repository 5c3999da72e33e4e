import type { ExpectedAnswer } from './ask-questions.ts';

const about =
  (of: ExpectedAnswer['of']) =>
  (ask: string, cites: string[], ...says: (string | RegExp)[]): ExpectedAnswer => ({ of, ask, cites, says });
const claire = about('Claire'),
  daniel = about('Daniel'),
  nora = about('Nora'),
  rosa = about('Rosa');

/** Questions at the kitchen table, written from the papers before any was asked. Today is 26 November 2026. */
export const HOME_QUESTIONS: readonly ExpectedAnswer[] = [
  claire('How big was the mole?', [], /7 mm/),
  claire('War bei der Mammografie alles gut?', ['mammographie.pdf'], /BI-RADS 1/),
  claire('How far along was I at the second ultrasound?', ['echographie_T2.pdf'], /22 semaines/),
  claire('Wie viel Maltofer musste ich nach der Geburt nehmen?', ['lettre_sortie_maternite.pdf'], /100 mg/),
  claire('When did I stop taking Maltofer?', ['ordonnance_2026.pdf'], /19 May 2026|19\.05\.2026/),
  claire('Wer hat die Gewebeprobe vom Rücken untersucht?', ['histologie.pdf'], /Corbaz/),

  daniel('How long did I need the thrombosis injections?', ['austrittsbericht.pdf'], /14 Tage/),
  daniel('Was kosteten die Krücken?', ['rechnung_klinik.pdf'], /48/),
  daniel('Which batch was my COVID jab?', ['IMG_4120.jpg'], '3002541'),
  daniel('Wie war mein Puls in England?', ['gp letter.pdf'], /64/),
  daniel('Were the ligaments torn as well?', ['MRI_Knie_rechts.pdf'], /intakt/),
  daniel('Ab wann durfte ich wieder halb arbeiten?', ['Scan_0521.pdf'], /06\.05\.2024/),

  daniel('When did I last have a blood test?', ['laborbefund_2026.pdf'], '8 September 2026'),
  daniel('Wann hatte ich zuletzt eine Blutabnahme?', ['laborbefund_2026.pdf'], '8. September 2026'),
  daniel('Wie war mein Blutdruck 2018?', ['check-up_2018.pdf'], /1\d\d\/\d\d/),
  claire('Which doctor looks after my thyroid?', ['consultation_thyroide.pdf'], 'Perrochet'),
  nora('When was her last check-up?', ['sehtest.pdf'], '5 May 2026'),
  rosa('Was nimmt sie jeden Tag?', ['visita_diabetologica_2026.pdf'], /Metformin/, /Ramipril/),
  rosa('Wie ist ihr HbA1c im Vergleich zu früher?', ['referto_2019-03.pdf'], '8,1 %', '6,8 %'),

  nora('What did she fall from?', ['pronto_soccorso.pdf'], /altalena/),
  nora('Ab wann durfte sie wieder Sport machen?', ['kontrolle_handgelenk.pdf'], /September/),
  nora('How high was her temperature when she had the seizure?', ['A&E discharge.pdf'], /39\.4/),
  nora('Braucht Nora eine Brille?', ['sehtest.pdf'], /Brille/),
  nora('How heavy was she at two months?', ['vorsorge_2_monate.pdf'], /5120 g/),

  rosa('How much did the hospital bill come to?', ['fattura_ospedale.pdf'], /508[.,]50/),
  rosa('Wie gut pumpt ihr Herz?', ['ecocardiogramma.pdf'], /61 %/),
  rosa('Does she walk with sticks after the hip operation?', ['lettera_dimissione_anca.pdf'], /bastoni/),
  rosa('Wie oft muss sie zum Augenarzt?', ['controllo_oculistico.pdf'], /ogni anno/),
  rosa('Which vaccination against pneumonia did she have?', ['certificato_vaccinazioni.pdf'], 'Pneumovax'),
];
