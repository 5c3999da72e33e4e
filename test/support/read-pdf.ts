import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hasRequirements } from './requirements.ts';

/** Whether the programs that check PDFs are installed. */
export const hasPdfPrograms = hasRequirements('PDFs checked by other programs', {
  programs: ['qpdf', 'pdftotext', 'pdffonts', 'pdfinfo', 'pdfimages', 'pdfdetach'],
});

/** Checks a PDF with qpdf and reads it with the programs of Poppler. */
export function readPdf(bytes: Buffer): { text: string; info: string; fonts: string; images: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-pdf-'));
  const file = join(folder, 'export.pdf');
  writeFileSync(file, bytes);
  const run = (program: string, args: string[]): string =>
    execFileSync(program, args, { maxBuffer: 1 << 28 }).toString();
  try {
    expect(run('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors');
    return {
      text: run('pdftotext', ['-layout', file, '-']),
      info: run('pdfinfo', [file]),
      fonts: run('pdffonts', [file]),
      images: run('pdfimages', ['-list', file]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
