/** What PlatformIO would do with platformio.ini, as far as that can be known without it and its packages. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { run } from '../support/firmware-core.ts';
import { FIRMWARE } from '../support/firmware.ts';
import { itWith } from '../support/requirements.ts';

/** `name=` in library.properties of the pinned Arduino cores: 3.1.2 for the ESP8266, 3.3.8 for the others. */
const LIBRARIES = {
  'env:smalltv-esp8266': ['ESP8266WiFi', 'ESP8266mDNS', 'DNSServer', 'LittleFS(esp8266)', 'SPI'],
  'esp32-family': [
    ...['Networking', 'WiFi', 'NetworkClientSecure', 'ESPmDNS', 'DNSServer', 'FS', 'LittleFS', 'SPI', 'Update'],
  ],
};
/** The oldest PlatformIO that the pinned platform of the ESP32 family accepts (`engines` in its platform.json). */
const OLDEST_PLATFORMIO = [6, 1, 19];

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const sections = new Map(
  readFileSync(join(FIRMWARE, 'platformio.ini'), 'utf8')
    .split(/^\[/m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf(']')), text]),
);

/** A setting of a section, or of the one that it extends. */
function settingOf(section: string, key: string): string | undefined {
  const text = sections.get(section) ?? '';
  const own = new RegExp(`^${key} = (.*)$`, 'm').exec(text)?.[1];
  const parent = /^extends = (.*)$/m.exec(text)?.[1];
  return own ?? (parent === undefined ? undefined : settingOf(parent, key));
}

describe('PlatformIO', () => {
  test('finds every library of every image in the Arduino core, so it installs none of its registry', () => {
    const known = Object.entries(LIBRARIES).map(([section, names]) => [settingOf(section, 'platform'), names] as const);
    const images = [...sections.keys()].filter((name) => name.startsWith('env:'));
    expect(images.length).toBeGreaterThan(5);
    for (const image of images) {
      const names = new Map(known).get(settingOf(image, 'platform'));
      const foreign = settingOf(image, 'lib_deps')!
        .split(', ')
        .filter((name) => names?.includes(name) !== true);
      expect({ image, foreign }).toEqual({ image, foreign: [] });
    }
  });

  test('has a version in the workflow of the images that their platforms accept, and the README names it', () => {
    const [, version = ''] =
      /pip install platformio==([\d.]+)$/m.exec(read('../../.github/workflows/firmware.yml')) ?? [];
    const [major, minor, patch] = version.split('.').map(Number);
    expect([major, minor]).toEqual(OLDEST_PLATFORMIO.slice(0, 2));
    expect(patch).toBeGreaterThanOrEqual(OLDEST_PLATFORMIO[2]!);
    expect(read('../../firmware/README.md')).toContain(`# PlatformIO ${version};`);
  });

  // The stand-in has what ESP-IDF's project.cmake does first: it puts its own command in the place of `project`.
  itWith({ gate: 'firmware', programs: ['cmake', 'ninja'] }, 'configures the folder as a project of ESP-IDF', () => {
    const place = mkdtempSync(join(tmpdir(), 'esp-idf-'));
    mkdirSync(join(place, 'tools/cmake'), { recursive: true });
    const command =
      'macro(project name)\n  _project(${name} NONE)\n  message(STATUS "ESP-IDF makes ${name}")\nendmacro()\n';
    writeFileSync(join(place, 'tools/cmake/project.cmake'), command);
    const configure = (...options: string[]): string =>
      run(
        'cmake',
        ['-E', 'env', `IDF_PATH=${place}`, 'cmake', '-S', FIRMWARE, '-B', join(place, 'build'), ...options],
        place,
      );
    expect(configure('-G', 'Ninja', '-DIDF_TARGET=esp32c2')).toContain('ESP-IDF makes hearth-ticker');
    expect(readFileSync(join(place, 'build/build.ninja'), 'utf8')).not.toContain('hearth-core');
    rmSync(place, { recursive: true });
  });
});
