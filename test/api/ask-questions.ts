/** A question of the sample household with the papers that an answer has to cite and what it has to say. */
export interface ExpectedAnswer {
  of: 'Claire' | 'Daniel' | 'Nora' | 'Rosa';
  ask: string;
  /** All of these papers are cited. */
  cites: readonly string[];
  says: readonly (string | RegExp)[];
}

const NOT_IN_RECORD = /not in the record|nicht in den Unterlagen/;
/** Paper, or answer, without which a question is not answered. */
const claire = (ask: string, cites: string[], ...says: (string | RegExp)[]): ExpectedAnswer => ({
  ...{ of: 'Claire', ask, cites, says },
});
const daniel = (ask: string, cites: string[], ...says: (string | RegExp)[]): ExpectedAnswer => ({
  ...{ of: 'Daniel', ask, cites, says },
});
const nora = (ask: string, cites: string[], ...says: (string | RegExp)[]): ExpectedAnswer => ({
  ...{ of: 'Nora', ask, cites, says },
});
const rosa = (ask: string, cites: string[], ...says: (string | RegExp)[]): ExpectedAnswer => ({
  ...{ of: 'Rosa', ask, cites, says },
});

const LABS_OF_CLAIRE = [
  'analyses_2019.pdf',
  'analyses_2020.pdf',
  'Scan_0377.pdf',
  'analyses_2024.pdf',
  'analyses_2026.pdf',
];
const LABS_OF_DANIEL = ['laborbefund_2018.pdf', 'blood results.pdf', 'laborbefund_2023.pdf', 'laborbefund_2026.pdf'];

/** Questions as people ask them, written from the papers. Today is 26 November 2026. */
export const QUESTIONS: readonly ExpectedAnswer[] = [
  claire('What was Claire’s last TSH?', ['analyses_2026.pdf'], '1.90 mU/L', '12 May 2026'),
  claire('Wie hoch war der TSH-Wert 2020?', ['analyses_2020.pdf'], '4,60 mU/L'),
  claire('How has her ferritin developed over the years?', LABS_OF_CLAIRE, '21', '9 µg/L', '18', '27', '34 µg/L'),
  claire('Wann war das Ferritin am tiefsten?', ['analyses_2020.pdf'], '9 µg/L', '9. Juni 2020'),
  claire('Was her vitamin D ever too low?', ['analyses_2019.pdf', 'analyses_2020.pdf'], '41 nmol/L', '48 nmol/L'),
  claire('Welche Medikamente nimmt Claire im Moment?', ['ordonnance_2026.pdf'], /Euthyrox 75 µg/),
  claire('What dose of Euthyrox did she start with?', ['consultation_thyroide.pdf'], '50 µg'),
  claire('Seit wann hat sie Hashimoto?', ['consultation_thyroide.pdf'], '5. März 2019'),
  claire('When was the last mammogram?', ['mammographie.pdf'], '7 October 2025'),
  claire('Wie viel hat die Hebamme gekostet?', ['facture_sage-femme.pdf'], /340|470/),
  claire('How many invoices are there for Claire?', ['facture_sage-femme.pdf'], /\b1\b|one/i),
  claire('Wann ist der nächste Termin bei Dr. Perrochet?', ['ordonnance_2026.pdf'], '11. Mai 2027'),
  claire('How heavy was the baby at birth?', ['lettre_sortie_maternite.pdf'], '3280 g'),
  claire('Wann war Claire wegen der Geburt im Spital?', ['lettre_sortie_maternite.pdf'], '21. März 2020'),
  claire('What did the histology of the mole show?', ['histologie.pdf']),
  claire('Hatte Claire schon einmal einen Herzinfarkt?', [], NOT_IN_RECORD),

  daniel('What is his current LDL?', ['laborbefund_2026.pdf'], '2.7 mmol/L'),
  daniel('Wie haben sich Daniels Cholesterinwerte entwickelt?', LABS_OF_DANIEL, '5,9', '5,7', '5,4', '4,6'),
  daniel('When was Daniel’s highest triglyceride value?', ['laborbefund_2018.pdf'], '1.9 mmol/L', '4 December 2018'),
  daniel('Wann wurde sein Knie operiert?', ['op-bericht_knie.pdf'], '9. April 2024'),
  daniel('Who operated on his knee?', ['op-bericht_knie.pdf'], 'Zumsteg'),
  daniel('Wie lange war er im Spital?', ['austrittsbericht.pdf'], '9. April 2024', '11. April 2024'),
  daniel(
    'What medicines did he take in April 2024?',
    ['austrittsbericht.pdf'],
    'Ibuprofen',
    /Pantoprazol/,
    'Enoxaparin',
  ),
  daniel('Wann war die letzte Tetanusimpfung?', ['IMG_4120.jpg'], '18. Mai 2016'),
  daniel('Has Daniel been vaccinated against COVID?', ['IMG_4120.jpg'], 'Spikevax', '2 June 2021'),
  daniel('Ist er gegen Zecken geimpft?', ['IMG_4120.jpg'], 'FSME', '8. Mai 2019'),
  daniel('When is his next appointment?', ['verlaufskontrolle_knie.pdf'], '3 December 2026'),
  daniel('Was kostete die Knieschiene?', ['rechnung_klinik.pdf'], '212,50'),
  daniel('Which results were out of range in 2018?', ['laborbefund_2018.pdf'], '5.9', '3.9', '1.9'),
  daniel('Was hat sich seit 2025 verändert?', ['laborbefund_2026.pdf', 'verlaufskontrolle_knie.pdf']),
  daniel('Show me the MRI of the knee', ['MRI_Knie_rechts.pdf']),
  daniel('Wie war der Blutdruck beim Check-up?', ['check-up_2018.pdf'], '128/82'),
  daniel('Does he have hay fever?', ['check-up_2018.pdf'], /Heuschnupfen|hay fever/i),
  daniel('Wie lange war Daniel krankgeschrieben?', ['Scan_0521.pdf']),
  daniel('What is Daniel’s HbA1c?', [], NOT_IN_RECORD),

  nora('Is Nora allergic to peanuts?', ['allergiesprechstunde.pdf'], /Erdnuss/),
  nora('Was soll man ihr im Notfall geben?', ['rezept_notfallset.pdf'], /Epipen/i),
  nora('When did she break her wrist?', ['pronto_soccorso.pdf'], '14 July 2025'),
  nora('Welche Impfungen hat Nora?', ['impfausweis_nora.pdf'], 'Infanrix hexa', 'Priorix', 'Bexsero'),
  nora('How many doses of the measles vaccine has she had?', ['impfausweis_nora.pdf'], /\b2\b|two/i, 'Priorix'),
  nora('Wann darf sie wieder Sport machen?', ['kontrolle_handgelenk.pdf'], /Sport ab September/),
  nora('What antibiotic was she given for the ear infection?', ['surgery letter Nora.pdf'], 'Amoxicillin'),
  nora('Wie schwer war Nora mit zwei Monaten?', ['vorsorge_2_monate.pdf'], '5120 g'),
  nora('Why was she in hospital in January 2022?', ['A&E discharge.pdf'], /febrile convulsion/i),
  nora('Braucht Nora eine Brille?', ['sehtest.pdf'], /Brille/),
  nora('Hazelnut IgE?', ['allergietest.pdf'], '0.21 kU/L'),
  nora('Wer ist Noras Augenarzt?', ['sehtest.pdf'], 'Hofstetter'),

  rosa('What is Rosa’s HbA1c now?', [], /6\.8 ?%/),
  rosa('Wie war der Langzeitzucker im Verlauf?', ['referto_2019-03.pdf', 'referto_2026-10.pdf'], '8,1', '7,7', '6,8'),
  rosa('Was the potassium ever high?', ['IMG_3307.jpg'], /uncertain/),
  rosa('Welche Dosis Ramipril nimmt sie?', ['visita_diabetologica_2026.pdf'], '10 mg'),
  rosa(
    'When was metformin reduced?',
    ['lettera_dimissione_anca.pdf', 'visita_diabetologica_2026.pdf'],
    '500 mg',
    '1000 mg',
  ),
  rosa('Wann bekam Rosa die neue Hüfte?', ['verbale_operatorio_anca.pdf'], '7. Februar 2023'),
  rosa('What did the heart ultrasound show?', ['ecocardiogramma.pdf'], /61 ?%|ipertrofia/),
  rosa('Hat sie grauen Star?', ['controllo_oculistico.pdf'], /Cataratta/),
  rosa('What was the hospital bill for the hip?', ['fattura_ospedale.pdf'], '508.50'),
  rosa('Wann hat Rosa die Grippeimpfung bekommen?', ['certificato_vaccinazioni.pdf'], '21. Oktober 2025'),
  rosa('Is her kidney function getting worse?', ['referto_2026-10.pdf', 'referto_2019-03.pdf'], '89', '68'),
  rosa('War das Vitamin B12 einmal unter der Norm?', ['IMG_3307.jpg'], '141 pmol/L'),
  rosa('What changed since June 2026?', ['referto_2026-10.pdf', 'visita_diabetologica_2026.pdf']),
  rosa('Welchen Blutverdünner bekam sie nach der Operation?', ['lettera_dimissione_anca.pdf'], 'Rivaroxaban'),
  rosa('Does Rosa have a pacemaker?', [], NOT_IN_RECORD),
  rosa('Wann war die Darmspiegelung?', [], NOT_IN_RECORD),
  rosa('Who is Rosa’s diabetes doctor?', [], 'Ferrari'),

  claire('Is my iron ok?', ['analyses_2026.pdf'], '34 µg/L on 12 May 2026, within its range, 15–150'),
  claire('Ist mein Eisen in Ordnung?', ['analyses_2026.pdf'], '34 µg/L am 12. Mai 2026, im Bereich 15–150'),
  rosa('Are my kidneys all right?', ['referto_2026-10.pdf'], /Creatinine.* 89 µmol\/L \(high\).*range 45–84/),
  rosa('Sind meine Werte in Ordnung?', ['referto_2026-10.pdf'], /Kreatinin.*\n- 6\. Oktober 2026: 89 µmol\/L/),
  claire('Is the scan of the thyroid normal?', [], /^(?!.*TSH)/s),
  claire('Why do I take Euthyrox?', ['consultation_thyroide.pdf'], /may be for:\n- Thyroïdite de Hashimoto[^\n]*$/),
  claire('What are the iron pills for?', ['consultation_thyroide.pdf'], /may be for:\n- Carence en fer[^\n]*$/),
  claire('Why did I stop taking Maltofer?', ['ordonnance_2026.pdf'], 'Traitement arrêté'),
  rosa('Wofür nehme ich Metformin?', ['visita_diabetologica_2019.pdf'], /möglicher Grund:\n- Diabete mellito[^\n]*$/),
  rosa('Why does she take Rivaroxaban?', ['lettera_dimissione_anca.pdf'], 'Hearth can’t tell', 'Coxartrosi destra'),
  rosa('Mein Eisen?', [], NOT_IN_RECORD),
  rosa('Why do I take insulin?', [], NOT_IN_RECORD, /^(?!.*Thyr)/s),
  nora('Hat sie eine Nussallergie?', ['allergiesprechstunde.pdf'], 'Erdnuss strikt meiden, Haselnuss ist erlaubt'),
  nora('Is she allergic to tree nuts?', ['allergiesprechstunde.pdf'], 'Haselnuss ist erlaubt'),
  daniel('Hat er eine Pollenallergie?', ['check-up_2018.pdf'], 'Heuschnupfen'),
  daniel('Hat er eine Penicillinallergie?', [], NOT_IN_RECORD),
  daniel('Wogegen nehme ich Pantoprazol?', ['austrittsbericht.pdf'], 'Innenmeniskusriss rechts'),
];
