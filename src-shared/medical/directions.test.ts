import { describe, expect, it } from 'vitest';
import { findDirections, findFrequency } from './directions.ts';
import { findScheme, findStrength } from './dose.ts';

describe('directions of medicines', () => {
  it.each([
    // amount, route and time
    ['Olmesartan 20 mg, one tablet by mouth once daily', 'one tablet by mouth once daily'],
    ['Spiolto 2.5/2.5 micrograms two puffs once daily', 'two puffs once daily'],
    ['Avamys 27.5 micrograms 2 sprays into each nostril daily', '2 sprays into each nostril daily'],
    ['Take 2 capsules every 8 hours', '2 capsules every 8 hours'],
    ['Sertralina 50 mg 1 compressa al giorno', '1 compressa al giorno'],
    ['Bisoprololo 1,25 mg mezza compressa al mattino', 'mezza compressa al mattino'],
    ['Latanoprost 1 goccia la sera', '1 goccia la sera'],
    ['Esoméprazole 20 mg 1 gélule le matin à jeun', '1 gélule le matin à jeun'],
    ['Dexeryl 2 applications par jour', '2 applications par jour'],
    ['Tramadol 20 gouttes toutes les 6 heures si besoin pendant 3 jours', '20 gouttes toutes les 6 heures si besoin'],
    ['Foster 2 Hübe morgens und abends', '2 Hübe morgens und abends'],
    ['Novalgin 30 Trpf. bei Bedarf', '30 Trpf. bei Bedarf'],
    ['Ibuprofeno 600 mg 1 comprimido cada 8 horas', '1 comprimido cada 8 horas'],
    ['Ramipril 5 mg 1 le matin', '1 le matin'],
    ['Vitamin D 3 weekly', 'weekly'],
    ['Torasemid 10 mg ½ morgens und 1 abends', '½ morgens und 1 abends'],
    ['Bisoprolol 2.5 mg tablets one each morning', 'one each morning'],
    ['Metoclopramide 10 mg one three times a day if needed', 'one three times a day if needed'],
    ['Lévothyroxine 75 µg 1 le matin, 6 jours sur 7', '1 le matin, 6 jours sur 7'],
    ['Timoptol 1 goutte le soir dans l’œil droit'.replace('’', "'"), "1 goutte le soir dans l'œil droit"],
    ['Dafalgan 1 g 1 cp 3x/jour en réserve', '1 cp 3x/jour en réserve'],
    ['Glucophage 850 mg 1 2 fois par jour', '2 fois par jour'],
    ['Paracétamol 1 g 1 à 3 par jour selon douleur', '1 à 3 par jour selon douleur'],
    ['Novalgin 500 mg 1 Tablette nach Schmerzen', '1 Tablette nach Schmerzen'],
    ['Monoprost collirio: 1 goccia alla sera OO', '1 goccia alla sera OO'],
    // time alone
    ['Anastrozol 1 mg, 1 x täglich', '1 x täglich'],
    ['Metformin 850 mg 2× tgl.', '2× tgl.'],
    ['Metamizol 500 mg alle 8 h', 'alle 8 h'],
    ['Bactrim forte 1x/Tag', '1x/Tag'],
    ['Naproxen 500 mg b.d.', 'b.d'],
    ['Zopiclone 7.5 mg nocte PRN', 'nocte PRN'],
    ['Tapentadol 50 mg q4-6h prn', 'q4-6h prn'],
    ['Vitamin D3 20000 IE einmal pro Woche', 'einmal pro Woche'],
    ['Alendronat 70 mg jeden Montag', 'jeden Montag'],
    ['Lasix 25 mg 2 cp ore 8, 1 cp ore 16', '2 cp ore 8, 1 cp ore 16'],
    ['Latanoprost one drop both eyes at night', 'one drop both eyes at night'],
    ['Seretide 1 inhalation matin et soir, se rincer la bouche', '1 inhalation matin et soir'],
    ['Ramipril 5 mg l-O-O', '1-0-0'],
    ['Ramipril 5 mg 1 cp/die', '1 cp/die'],
    ['Previscan 20 mg 3/4 cp le soir', '3/4 cp le soir'],
    ['Acenocumarolo 4 mg secondo INR', 'secondo INR'],
    ['Paracétamol 1 g matin, midi et soir', 'matin, midi et soir'],
    ['Dafalgan 1 g in riserva, massimo 4 al giorno', 'in riserva, massimo 4 al giorno'],
    ['Ibuprofen 400 mg twice daily with food for 7 days', 'twice daily with food'],
    ['Baclofen 10 mg at bedtime for 5 days', 'at bedtime'],
    ['Furosemide 25 mg alle ore 8 e ore 16', 'alle ore 8 e ore 16'],
  ])('reads %s', (text, printed) => {
    expect(findFrequency(text)?.text.replace(/\.$/, '')).toBe(printed.replace(/\.$/, ''));
  });

  it.each(['Olmesartan 20 mg', '30 Tabletten N2', 'Dr. med. Peter Muster', 'Page 1 of 2'])(
    'finds none in %s',
    (text) => {
      expect(findFrequency(text)).toBeNull();
    },
  );

  it.each([
    ['three times daily during menses', 'three times daily during menses'],
    ['apply to affected area twice daily x 5 days', 'apply to affected area twice daily'],
    ['% Tablette zur Nacht bei Bedarf', '½ Tablette zur Nacht bei Bedarf'],
    ['l compressa ogni 8 ore a stomaco pieno per 3 giorni', '1 compressa ogni 8 ore a stomaco pieno'],
    ['3x täglich auftragen', '3x täglich auftragen'],
    ['en 2 prises pendant 5 jours', 'en 2 prises'],
    ['1 dose-poids toutes les 6 heures', '1 dose-poids toutes les 6 heures'],
    ['as needed at headache onset', 'as needed at headache onset'],
    ['1 goccia alla sera in OO', '1 goccia alla sera'],
    ['once daily at home we will see her again soon', 'once daily'],
    ['l-O-½', '1-0-½'],
    ['1−0−%', '1-0-½'],
    // whole phrases of prescriptions: route, place, event, hours, days and units
    ['1 capsule par la bouche 3 fois par jour', '1 capsule par la bouche 3 fois par jour'],
    ['1 tablet by mouth with the evening meal', '1 tablet by mouth with the evening meal'],
    ['1 comprimé effervescent par jour', '1 comprimé effervescent par jour'],
    ['1x wöchentlich s.c. am Montag', '1x wöchentlich s.c. am Montag'],
    ['one tablet at onset of migraine', 'one tablet at onset of migraine'],
    ['20 units under the skin nightly', '20 units under the skin nightly'],
    ['18 unità la sera sottocute', '18 unità la sera sottocute'],
    ['1 spruzzo per narice', '1 spruzzo per narice'],
    ['one drop to left eye four times a day', 'one drop to left eye four times a day'],
    [' Apply a thin layer to affected area twice daily', 'Apply a thin layer to affected area twice daily'],
    ['alle 3 Tage wechseln', 'alle 3 Tage wechseln'],
    ['30 Minuten vor dem Frühstück 1 Tablette', '30 Minuten vor dem Frühstück 1 Tablette'],
    ['morgens 1, abends 1', 'morgens 1, abends 1'],
    ['3 x 1 Tablette', '3 x 1 Tablette'],
    ['Mo/Mi/Fr', 'Mo/Mi/Fr'],
    ['gemäß INR', 'gemäß INR'],
    ['8 Uhr und 20 Uhr', '8 Uhr und 20 Uhr'],
    ['1 cp alle 8 e alle 20', '1 cp alle 8 e alle 20'],
    ['1 cp x 3 par jour', '1 cp x 3 par jour'],
    ['1 e 1/2 cp al mattino', '1 e 1/2 cp al mattino'],
    ['al bisogno (max 3/die)', 'al bisogno (max 3/die)'],
    ['2 bouffées si gêne', '2 bouffées si gêne'],
    ['1 goutte au besoin', '1 goutte au besoin'],
    ['1 flacone al mese', '1 flacone al mese'],
    ['1 bouffée sous la langue si douleur', '1 bouffée sous la langue si douleur'],
    ['bei Fieber über 38,5 °C', 'bei Fieber über 38,5 °C'],
    ['once every 3 months', 'once every 3 months'],
    // where and when: on thin skin, on a day in brackets, apart from meals, in a season
    ['1x täglich dünn auf das Gesicht', '1x täglich dünn auf das Gesicht'],
    ['1x wöchentlich (Freitag) s.c.', '1x wöchentlich (Freitag) s.c.'],
    ['1x wöchentlich (Samstag)', '1x wöchentlich (Samstag)'],
    ['1 cpr al giorno lontano dai pasti', '1 cpr al giorno lontano dai pasti'],
    ['1 goutte 2x par jour en saison', '1 goutte 2x par jour en saison'],
    // hours, which are not a scheme, and on which days how much
    ['1 cpr ore 8-14-20', '1 cpr ore 8-14-20'],
    ['1 fl s.c. la sera', '1 fl s.c. la sera'],
    ['Mo, Mi, Fr je 1 als Prophylaxe', 'Mo, Mi, Fr je 1'],
    ['1 gélule si crises rapprochées', '1 gélule si crises rapprochées'],
    ['secondo schema INR', 'secondo schema INR'],
    ['bei Unruhe 1 Tablette, max. 2 pro Tag', 'bei Unruhe 1 Tablette, max. 2 pro Tag'],
    ['2 bouffées si gêne, 4 fois par jour au maximum', '2 bouffées si gêne, 4 fois par jour au maximum'],
  ])('reads all of %s in a list', (text, printed) => {
    expect(findDirections(text)?.text).toBe(printed);
  });

  it('does not take the strength of a combination for a scheme', () => {
    expect(findScheme('Trimbow 87/5/9 micrograms inhaler')).toBeNull();
    expect(findStrength('Trimbow 87/5/9 micrograms inhaler')?.[0]).toBe('87/5/9 micrograms');
    expect(findScheme('Exforge HCT 10/160/25 mg 1-0-0')?.[0]).toBe('1-0-0');
  });
});
