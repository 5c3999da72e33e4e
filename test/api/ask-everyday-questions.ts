import type { ExpectedAnswer } from './ask-questions.ts';

const NOT_IN_RECORD = /not in the record|nicht in den Unterlagen/;
const about =
  (of: ExpectedAnswer['of']) =>
  (ask: string, cites: string[], ...says: (string | RegExp)[]): ExpectedAnswer => ({ of, ask, cites, says });
const claire = about('Claire'),
  daniel = about('Daniel'),
  nora = about('Nora'),
  rosa = about('Rosa');

/** What a family says on the phone, written from the papers before any was asked. Today is 26 November 2026. */
export const EVERYDAY_QUESTIONS: readonly ExpectedAnswer[] = [
  daniel('wann war Papas letzte Tetanus', ['IMG_4120.jpg'], '18. Mai 2016'),
  daniel('is my cholesterol getting worse', ['laborbefund_2018.pdf', 'laborbefund_2026.pdf'], '5.9', '4.6'),
  daniel('what was wrong with my knee', [], /Meniskus|meniscus/i),
  daniel('wann muss ich wieder wegen dem knie hin', ['verlaufskontrolle_knie.pdf'], '3. Dezember 2026'),
  daniel('how are my liver values', ['laborbefund_2026.pdf'], '33 U/L'),
  daniel('bin ich gegen Corona geimpft', ['IMG_4120.jpg'], 'Spikevax'),
  daniel('what did I take for my stomach after the op', ['austrittsbericht.pdf'], /Pantoprazol/),
  daniel('Wer ist mein Hausarzt?', [], 'Lüthold'),
  daniel('did the doctor find a new tear', ['verlaufskontrolle_knie.pdf'], /kein Hinweis auf einen neuen Riss/),

  claire('do I still have to take the iron pills', ['ordonnance_2026.pdf'], /Maltofer/, '19 May 2026'),
  claire('wie gross war das Baby bei der Geburt', ['lettre_sortie_maternite.pdf'], '50 cm'),
  claire('when is my next thyroid check', ['ordonnance_2026.pdf'], '11 May 2027'),
  claire('was nehme ich gegen den Heuschnupfen', ['ordonnance_2026.pdf'], /C[ée]tirizine/),
  claire('has my vitamin d gone up', ['analyses_2019.pdf', 'analyses_2026.pdf'], '41', '81 nmol/L'),
  claire('Wie war mein letztes Hämoglobin', ['analyses_2026.pdf'], '134 g/L'),
  claire('how often did the midwife come', ['facture_sage-femme.pdf'], /4|340/),
  claire('Wann wurde das Muttermal entfernt', ['consultation_dermatologie.pdf'], '13. Juni 2023'),
  claire('have I ever broken a bone', [], NOT_IN_RECORD),

  nora('wann ist die nächste Augenkontrolle', ['sehtest.pdf'], '10. November 2026'),
  nora('what can’t she eat', [], /Erdnuss|peanut/i),
  nora('Wann bekam sie die Masernimpfung?', ['impfausweis_nora.pdf'], '30. März 2021', '21. Juni 2022'),
  nora('when did the plaster come off', ['kontrolle_handgelenk.pdf'], /Gips entfernt/),
  nora('welches Antibiotikum hat sie bekommen', ['surgery letter Nora.pdf'], /Amoxicillin/),
  nora('how long was the fit', ['A&E discharge.pdf'], /two minutes/),
  nora('Wie oft wurde sie gegen Masern geimpft', ['impfausweis_nora.pdf'], /2|zwei/),

  rosa('how is Grandma’s sugar', ['referto_2026-10.pdf'], /6\.[89]/),
  rosa('was nimmt Oma gegen den Blutdruck', [], /Ramipril/),
  rosa('when did she get the shingles jab', ['certificato_vaccinazioni.pdf'], '15 December 2023'),
  rosa('Wann war Oma das letzte Mal beim Augenarzt', ['controllo_oculistico.pdf']),
  rosa('is her b12 low again', ['referto_2026-10.pdf'], /B12/),
  rosa('Sind ihre Nieren schlechter geworden', ['referto_2026-10.pdf', 'referto_2019-03.pdf'], '89', '68'),
  rosa('how long was she in hospital', ['lettera_dimissione_anca.pdf'], '6 February 2023', '14 February 2023'),
  rosa('Verträgt sie Penicillin?', [], NOT_IN_RECORD),
  rosa('which hip was replaced', [], /destr|right/i),
];
