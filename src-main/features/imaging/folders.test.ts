import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestVault, putFile, type TestVault } from '../../../test/support/vault.ts';
import { freeFolder } from './folders.ts';

const FOLDER = 'patients/elena/imaging/2024/2024-03-11_knee';

let t: TestVault;
beforeEach(() => {
  t = openTestVault();
});
afterEach(() => t.close());

const addStudy = (folder: string | null, bundle: string | null): unknown =>
  t.db
    .prepare("INSERT INTO imaging_studies (folder_path, bundle_path, created_at) VALUES (?, ?, '2026-01-01')")
    .run(folder, bundle);

describe('the folder of a new study', () => {
  it('is the one that is asked for as long as nothing uses it', () => {
    addStudy('patients/elena/imaging/2023/2023-01-01_hip', null);
    expect(freeFolder(t, FOLDER)).toBe(FOLDER);
  });

  it('is another one where files are', () => {
    putFile(t.root, `${FOLDER}/1.dcm`, 'a picture');
    putFile(t.root, `${FOLDER}-2/1.dcm`, 'a picture');
    expect(freeFolder(t, FOLDER)).toBe(`${FOLDER}-3`);
  });

  it('is another one where a study has its place, though its files were taken away', () => {
    addStudy(FOLDER, null);
    addStudy(null, `${FOLDER}-2`);
    expect(freeFolder(t, FOLDER)).toBe(`${FOLDER}-3`);
  });
});
