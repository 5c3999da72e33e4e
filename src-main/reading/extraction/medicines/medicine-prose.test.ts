import { describe, expect, it } from 'vitest';
import { medicinesIn } from '../../../../test/support/printed-rows.ts';

describe('medicines in running text', () => {
  it('are known names with a strength or a frequency, across lines', () => {
    expect(
      medicinesIn([
        'She remains well on her present treatment, which is lisinopril 10 mg once daily and',
        'simvastatin 40 mg at night, and I have added omeprazole 20 mg twice daily for a month.',
      ]),
    ).toEqual([
      ['lisinopril', '10 mg', 'once daily'],
      ['simvastatin', '40 mg', 'at night'],
      ['omeprazole', '20 mg', 'twice daily'],
    ]);
  });

  it('are read in German, French and Italian', () => {
    expect(
      medicinesIn([
        'Wir empfehlen bis zur nächsten Kontrolle eine Therapie mit Torasemid 10 mg täglich und salzarme Kost.',
      ]),
    ).toEqual([['Torasemid', '10 mg', 'täglich']]);
    expect(
      medicinesIn([
        'Nous avons introduit ce jour un traitement par furosémide 40 mg le matin avec un bon effet clinique.',
      ]),
    ).toEqual([['furosémide', '40 mg', 'le matin']]);
    expect(
      medicinesIn([
        'Si consiglia di iniziare una terapia con furosemide 25 mg al mattino e di controllare il peso corporeo.',
      ]),
    ).toEqual([['furosemide', '25 mg', 'al mattino']]);
  });

  it('are not those that are denied, of the past, or without a dose', () => {
    expect(
      medicinesIn([
        'He was treated with amoxicillin 500 mg three times daily in the spring without success at that time.',
        'He is allergic to penicillin and takes no ibuprofen 400 mg because of the pain in his stomach now.',
        'We discussed whether methotrexate could be an option for him in the future if the pain returns again.',
      ]),
    ).toEqual([]);
  });

  it('are current beside one that was given then and there', () => {
    for (const sentence of [
      'In der Notaufnahme erhielt er Ceftriaxon 2 g i.v. und nimmt weiterhin Ramipril 5 mg täglich ein.',
      'She received ceftriaxone 2 g in the department and continues on ramipril 5 mg täglich at home.',
      'Elle prend ramipril 5 mg täglich depuis mars et a reçu de la céfazoline 2 g au bloc opératoire.',
      'Ceftriaxone 2 g and metronidazole 500 mg were administered first, now he takes ramipril 5 mg täglich.',
      'Ramipril 5 mg täglich wird weitergeführt, in der Notaufnahme wurde Morphin 5 mg i.v. verabreicht.',
    ])
      expect([sentence, medicinesIn([sentence]).map(([, ...dose]) => dose)]).toEqual([sentence, [['5 mg', 'täglich']]]);
    expect(medicinesIn(['Er erhielt Ceftriaxon 2 g, Metamizol 1 g und Pantoprazol 40 mg in der Notaufnahme.'])).toEqual(
      [],
    );
  });

  it('have the dose to which they are changed, also against the list above', () => {
    const list = ['Current medication', 'Azathioprine 50 mg daily', 'Folic acid 5 mg weekly'];
    for (const change of [
      'Plan: increase azathioprine to 100 mg daily',
      'We will increase azathioprine from 50 mg to 100 mg daily and repeat the blood tests in six weeks.',
      'Bitte Azathioprine ab sofort auf 100 mg daily steigern und die Leberwerte in vier Wochen kontrollieren.',
    ])
      expect([change, medicinesIn([...list, change])]).toEqual([
        change,
        [
          ['Azathioprine', '100 mg', 'daily'],
          ['Folic acid', '5 mg', 'weekly'],
        ],
      ]);
  });

  it('are not those that are only considered', () => {
    expect(medicinesIn(['If symptoms persist consider amitriptyline 10 mg at night.'])).toEqual([]);
  });

  it('are not those of relatives, but those that relatives report', () => {
    expect(
      medicinesIn([
        'Current treatment: none. No regular medicines; she stopped nortriptyline 10 mg in the spring.',
        'Her husband has heart failure and takes bisoprolol 5 mg in the morning for it since a year.',
        'Her daughter reports that, at home, she takes lisinopril 10 mg once daily without any problem.',
      ]),
    ).toEqual([['lisinopril', '10 mg', 'once daily']]);
  });
});
