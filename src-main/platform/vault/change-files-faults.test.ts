import fs, {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { itWith } from '../../../test/support/requirements.ts';
import { fsError, recordFsCalls, withFs } from '../../../test/support/fs-faults.ts';
import { changeFiles, type ChangeEnd } from './change-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hearth-faults-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (...parts: string[]): string => join(root, ...parts);
const move = (from: string, to: string | null): ChangeEnd =>
  changeFiles([() => ({ from: at(from), to: to === null ? null : at(to) })])[0]!;

/** Returns the content of every file below the root. */
function contents(): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(root.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')])
      .sort(),
  );
}

const linksFailWith = (code: string): Partial<typeof fs> => ({
  linkSync: () => {
    throw fsError(code);
  },
});

describe('a file system without hard links', () => {
  test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'])(
    'that reports %s gets a rename',
    (code) => {
      writeFileSync(at('a'), 'x');
      expect(withFs(linksFailWith(code), () => move('a', 'p/b'))).toBe('moved');
      expect(contents()).toEqual({ 'p/b': 'x' });
    },
  );

  test('with another fault keeps the file where it is', () => {
    writeFileSync(at('a'), 'x');
    expect(withFs(linksFailWith('EIO'), () => move('a', 'p/b'))).toMatchObject({ error: { code: 'EIO' } });
    expect(contents()).toEqual({ a: 'x' });
  });
});

describe('another volume', () => {
  /** Hard links between `a` and its target fail; those within the target's folder work. */
  function otherVolume(more: Partial<typeof fs> = {}): Partial<typeof fs> {
    const { linkSync } = fs;
    return {
      linkSync: (from, to) => {
        if (String(from) === at('a')) throw fsError('EXDEV');
        linkSync(from, to);
      },
      ...more,
    };
  }

  test('gets a verified copy, also over a partial one', () => {
    writeFileSync(at('a'), 'x');
    mkdirSync(at('p'));
    writeFileSync(at('p', '.b.part'), 'half of an earlier attempt');
    expect(withFs(otherVolume(), () => move('a', 'p/b'))).toBe('moved');
    expect(contents()).toEqual({ 'p/b': 'x' });
  });

  test('that has no hard links either gets a verified copy', () => {
    writeFileSync(at('a'), 'x');
    const linkSync: typeof fs.linkSync = (from) => {
      throw fsError(String(from) === at('a') ? 'EXDEV' : 'EPERM');
    };
    expect(withFs({ linkSync }, () => move('a', 'p/b'))).toBe('moved');
    expect(contents()).toEqual({ 'p/b': 'x' });
  });

  test.skipIf(process.platform === 'win32')('has the copy on its disk before the copy has its name', () => {
    writeFileSync(at('a'), 'x');
    const recorder = recordFsCalls(root);
    const linkSync: typeof fs.linkSync = (from, to) => {
      if (String(from) === at('a')) throw fsError('EXDEV');
      recorder.fs.linkSync!(from, to);
    };
    withFs({ ...recorder.fs, linkSync }, () => move('a', 'p/b'));
    expect(recorder.calls).toEqual([
      'create p',
      'flush .',
      'flush p/.b.part',
      'link p/b',
      'unlink p/.b.part',
      'flush p',
      'unlink a',
      'flush .',
    ]);
  });

  test('gets nothing when the copy differs', () => {
    writeFileSync(at('a'), 'x');
    const copyFileSync: typeof fs.copyFileSync = (_from, to) => writeFileSync(to, 'y');
    expect(withFs(otherVolume({ copyFileSync }), () => move('a', 'p/b'))).toMatchObject({
      error: { code: 'EIO', message: 'copy differs from its source' },
    });
    expect(contents()).toEqual({ a: 'x' });
  });
});

test('an old name stays when the new one could not be flushed', () => {
  if (process.platform === 'win32') return;
  writeFileSync(at('a'), 'x');
  writeFileSync(at('b'), 'y');
  const { fsyncSync, openSync } = fs;
  const handles = new Map<number, string>();
  const calls: Partial<typeof fs> = {
    openSync: (...args) => {
      const handle = openSync(...args);
      handles.set(handle, String(args[0]));
      return handle;
    },
    fsyncSync: (handle) => {
      if (handles.get(handle) === at('bad')) throw fsError('EIO');
      fsyncSync(handle);
    },
  };
  mkdirSync(at('bad'));
  mkdirSync(at('good'));
  const ends = withFs(calls, () =>
    changeFiles([() => ({ from: at('a'), to: at('bad', 'a') }), () => ({ from: at('b'), to: at('good', 'b') })]),
  );
  expect(ends).toEqual([{ error: expect.objectContaining({ code: 'EIO' }) }, 'moved']);
  expect(contents()).toEqual({ a: 'x', 'bad/a': 'x', 'good/b': 'y' });
});

describe('a folder', () => {
  test('moves with everything in it', () => {
    mkdirSync(at('a', 'b'), { recursive: true });
    writeFileSync(at('a', 'b', 'c'), 'x');
    expect([move('a', 'p/q'), move('a', 'p/q')]).toEqual(['moved', 'already']);
    expect(contents()).toEqual({ 'p/q/b/c': 'x' });
  });

  test('renames an entry at its target to the next free number', () => {
    for (const name of ['a', 'b', 'b-2']) {
      mkdirSync(at(name));
      writeFileSync(at(name, 'file'), name);
    }
    expect(move('a', 'b')).toBe('moved');
    expect(contents()).toEqual({ 'b/file': 'a', 'b-2/file': 'b-2', 'b-3/file': 'b' });
  });

  test('and a file may move to where they are', () => {
    mkdirSync(at('a'));
    writeFileSync(at('b'), 'x');
    expect([move('a', 'a'), move('b', 'b')]).toEqual(['moved', 'moved']);
    expect(readdirSync(root).sort()).toEqual(['a', 'b']);
  });
});

describe('a file', () => {
  test('replaces a file of equal content, and renames another one of equal size', () => {
    writeFileSync(at('a'), 'same');
    writeFileSync(at('b'), 'same');
    expect(move('a', 'b')).toBe('moved');
    expect(contents()).toEqual({ b: 'same' });
    writeFileSync(at('a'), 'size');
    expect(move('a', 'b')).toBe('moved');
    expect(contents()).toEqual({ b: 'size', 'b-2': 'same' });
  });

  test('renames a folder at its target', () => {
    writeFileSync(at('a'), 'x');
    mkdirSync(at('b'));
    writeFileSync(at('b', 'file'), 'y');
    expect(move('a', 'b')).toBe('moved');
    expect(contents()).toEqual({ b: 'x', 'b-2/file': 'y' });
  });

  test('renames a folder of its own size at its target', () => {
    mkdirSync(at('folder'));
    writeFileSync(at('folder', 'file'), 'y');
    writeFileSync(at('a'), 'x'.repeat(lstatSync(at('folder')).size));
    expect(move('a', 'folder')).toBe('moved');
    expect(readdirSync(root).sort()).toEqual(['folder', 'folder-2']);
  });

  itWith({ symlinks: true }, 'renames a link of its own size at its target', () => {
    // The link points to a file with the same content, and is as long as that content.
    const content = 'z'.repeat(at('other').length);
    writeFileSync(at('other'), content);
    symlinkSync(at('other'), at('link'));
    writeFileSync(at('a'), content);
    expect(move('a', 'link')).toBe('moved');
    expect([lstatSync(at('link')).isFile(), lstatSync(at('link-2')).isSymbolicLink()]).toEqual([true, true]);
  });

  test('is removed once, and may be absent', () => {
    writeFileSync(at('a'), 'x');
    expect([move('a', null), move('a', null), move('missing/folder/a', null)]).toEqual(['moved', 'moved', 'moved']);
    expect(contents()).toEqual({});
  });

  test('that is at neither path is lost, and no folder is created for it', () => {
    expect(move('missing', 'p/b')).toBe('lost');
    expect(readdirSync(root)).toEqual([]);
  });
});
