/** @module-tag long */
import { closeSync, mkdtempSync, openAsBlob, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { ctHeader, withAttributes } from '../fixtures/dicom/sample-objects.ts';
import { attribute, writeDicom } from '../fixtures/dicom/write-dicom.ts';
import { Client } from '../support/client.ts';
import { inDepth } from '../support/depth.ts';
import { peakMemory } from '../support/memory.ts';
import { serve } from '../support/serve.ts';

/** At full size 30 000 files of 2 GB together. */
const OBJECTS = inDepth(600, 30_000);
const PIXEL_BYTES = inDepth(120_000, 66_000);
const MAX_MEMORY = 300 * 2 ** 20;
const STUDIES = 3;

/** One image, whose pixels differ from those of the others. */
function image(number: number): Buffer {
  const study = `1.2.9.${number % STUDIES}`;
  const [rows, columns] = [100, PIXEL_BYTES / 200];
  const pixels = Buffer.alloc(PIXEL_BYTES, number & 0xff);
  pixels.writeUInt32LE(number);
  return writeDicom(
    withAttributes(
      ctHeader(),
      attribute(0x0008_0018, 'UI', `${study}.1.${number}`),
      attribute(0x0010_0010, 'PN', 'Keller^Elena'),
      attribute(0x0010_0030, 'DA', '19790509'),
      attribute(0x0010_0040, 'CS', 'F'),
      attribute(0x0020_000d, 'UI', study),
      attribute(0x0020_000e, 'UI', `${study}.1`),
      attribute(0x0020_0013, 'IS', String(number)),
      attribute(0x0020_0032, 'DS', `0\\0\\${number}`),
      ...[attribute(0x0028_0002, 'US', 1), attribute(0x0028_0004, 'CS', 'MONOCHROME2')],
      ...[attribute(0x0028_0010, 'US', rows), attribute(0x0028_0011, 'US', columns)],
      ...[attribute(0x0028_0100, 'US', 16), attribute(0x0028_0101, 'US', 16), attribute(0x0028_0102, 'US', 15)],
      attribute(0x0028_0103, 'US', 0),
      attribute(0x7fe0_0010, 'OW', pixels),
    ),
  );
}

/** A ZIP that is written piece by piece, with its members as they are (APPNOTE.TXT 4.3). */
function writeDisc(path: string): void {
  const file = openSync(path, 'wx');
  const central: Buffer[] = [];
  let offset = 0;
  for (let number = 0; number < OBJECTS; number += 1) {
    const content = image(number);
    const name = Buffer.from(`DICOM/S${Math.floor(number / 1000)}/I${number}`);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(content.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), facts, place, name]));
    const member = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, name, content]);
    writeSync(file, member);
    offset += member.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(OBJECTS, 8);
  end.writeUInt16LE(OBJECTS, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  writeSync(file, Buffer.concat([directory, end]));
  closeSync(file);
}

it('takes a large disc in without holding it in memory, and says before what it has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-large-disc-'));
  const served = await serve({ env: { VAULT_PIPELINE_WATCH: 'false' } });
  try {
    const path = join(folder, 'disc.zip');
    writeDisc(path);
    const person = new Client(served.url);
    await person.setup();
    const send = async (address: string) => {
      const form = new FormData();
      form.append('file', await openAsBlob(path), 'disc.zip');
      return person.call('POST', address, form);
    };
    const found = await send('/api/documents/inspect');
    expect([found.status, found.body.study_count, found.body.images]).toEqual([200, STUDIES, OBJECTS]);
    expect((await person.get('/api/imaging')).body.total).toBe(0);
    const { status, body } = await send('/api/documents/upload?patient_id=1');
    expect([status, body.dicom, body.studies.length]).toEqual([201, OBJECTS, STUDIES]);
    const { items } = (await person.get('/api/imaging?patient_id=1')).body;
    expect(items.map(({ num_images }: { num_images: number }) => num_images)).toEqual(
      Array.from({ length: STUDIES }, () => OBJECTS / STUDIES),
    );
    const peak = peakMemory(served.process.pid);
    if (peak !== null) expect(peak).toBeLessThan(MAX_MEMORY);
  } finally {
    await served.remove();
    rmSync(folder, { recursive: true });
  }
});
