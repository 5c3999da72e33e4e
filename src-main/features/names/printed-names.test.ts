import { describe, expect, it } from 'vitest';
import { comparePeople, readDoctorName } from './doctor-name.ts';
import { readFacilityName } from './facility-name.ts';
import { aliasKey, codeOf } from './name-key.ts';

describe('a printed doctor', () => {
  it.each([
    ['Anna Med-Keller', null, 'Anna Med-Keller'],
    ['Anna Meier FMH-Titel Kardiologie', null, 'Anna Meier'],
    ['  M. le Dr Anna Meier ', 'Dr', 'Anna Meier'],
    ['M.  le  Dr  Anna Meier', 'Dr', 'Anna Meier'],
    ['M. Dr Anna Meier', 'Dr', 'Anna Meier'],
    ['M Dr Meier', 'Dr', 'Meier'],
    ['Anna M. Dr Meier', 'Dr', 'Anna M. Meier'],
    ['Meier, , Anna', null, 'Anna Meier'],
    ['Meier, Anna Maria', null, 'Anna Maria Meier'],
    ['Meier, Klinik am See', null, 'Meier'],
    ['  Dr. med. ', null, 'Dr. med.'],
  ])('%s has the title %s and the name %s', (printed, title, name) => {
    expect(readDoctorName(printed)).toMatchObject({ title, name });
  });
});

describe('two doctors', () => {
  it.each([
    ['a m', 'a meier', null],
    ['anna meier', 'an meier', null],
    ['meier', 'a meier', 'part_of_name'],
    ['anna meier', 'anna b keller meier', 'part_of_name'],
    ['anna meier', 'anna b meier', 'initial'],
  ] as const)('%s and %s are compared as %s', (a, b, expected) => {
    const [x, y] = [a.split(' '), b.split(' ')];
    expect([comparePeople(x, y), comparePeople(y, x)]).toEqual([expected, expected]);
  });
});

describe('a printed facility', () => {
  it.each([
    ['Spital X, Haus 3 Nord, 8000 Zürich', 'Spital X, Haus 3 Nord', '8000 Zürich'],
    ['Labor Eins, Am Hof 5, 8000 Zürich', 'Labor Eins', 'Am Hof 5, 8000 Zürich'],
    ['Labor Eins, Am Hof 12, 8000 Zürich', 'Labor Eins', 'Am Hof 12, 8000 Zürich'],
    ['Labor Eins, Am Hof 12b', 'Labor Eins', 'Am Hof 12b'],
    ['Labor Eins, Am Hof 12 b', 'Labor Eins', 'Am Hof 12 b'],
    ['Labor Eins, Bahnhofstrasse 5 Hinterhaus', 'Labor Eins', 'Bahnhofstrasse 5 Hinterhaus'],
    ['Spital X, Klinik Parkallee', 'Spital X, Klinik Parkallee', null],
  ])('%s has the name %s and the address %s', (printed, name, address) => {
    expect(readFacilityName(printed)).toMatchObject({ name, address });
  });

  it.each([
    ['Synlab AG, Bern', ['synlab']],
    ['Synlab AG, Sankt Gallen', ['synlab']],
    ['Synlab AG, Sankt  Gallen', ['synlab']],
    ['Synlab, Labor, Bern', ['synlab', 'labor']],
    ['Synlab AG, Zentrum am See', null],
    ['Synlab AG', null],
  ])('%s is %j without its place', (printed, words) => {
    expect(readFacilityName(printed).withoutPlace).toEqual(words);
  });
});

describe('the code of a printed name', () => {
  it('has at most 80 characters, and those of the signs where there is no letter', () => {
    expect(codeOf('specialties', 'Innere Medizin')).toBe('innere-medizin');
    expect(codeOf('specialties', 'x'.repeat(90))).toBe('x'.repeat(80));
    expect(codeOf('specialties', '+ ?')).toBe('2b-3f');
    expect(codeOf('specialties', ' ')).toBe('unnamed');
  });
  it('uses the shortest form of a medicine', () => {
    expect(aliasKey('medications', 'Ibuprofen 400 mg Filmtabletten')).toBe(aliasKey('medications', 'Ibuprofen'));
    expect(aliasKey('medications', 'Ibuprofen')).toBe('ibuprofen');
  });
});
