import { describe, expect, test } from 'vitest';
import { detectKind } from './file-type.ts';

describe('the type of a file', () => {
  test('is PDF if the header is within the first 1024 bytes', async () => {
    expect(await detectKind(Buffer.from('%PDF-1.4\n1 0 obj'))).toMatchObject({ kind: 'pdf' });
    expect(await detectKind(Buffer.from(`${'HTTP/1.1 200 OK\n'.repeat(10)}%PDF-1.4\n`))).toMatchObject({ kind: 'pdf' });
    expect(await detectKind(Buffer.from(`${' '.repeat(1019)}%PDF-1.4\n`))).toMatchObject({ kind: 'pdf' });
    expect(await detectKind(Buffer.from(`${' '.repeat(1020)}%PDF-1.4\n`))).toBeNull();
  });

  test('is that of the first bytes if they are of another type', async () => {
    expect(await detectKind(Buffer.from('GIF89a%PDF-1.4\n'))).toMatchObject({ mime: 'image/gif' });
    expect(await detectKind(Buffer.from('MZ\x90\0\x03\0\0\0 %PDF-1.4\n'))).toBeNull();
  });
});
