import { CircleCheck, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import { checkImages, type FirmwarePart } from '../../../src-shared/ticker/flash/check-images.ts';
import { findBoardTag } from '../../../src-shared/ticker/flash/image-head.ts';
import { planParts, type SelectedFile } from '../../../src-shared/ticker/flash/manifest.ts';
import { formatAddress, TickerError } from '../../../src-shared/ticker/flash/ticker-error.ts';
import { useFormats } from '../../client/format.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import { Failure } from './failure.tsx';
import { BundledFirmware } from './bundled-firmware.tsx';
import { boardOf, type BenchState } from './use-bench.ts';

/** More than the largest flash of a board is not read into memory. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

async function readFiles(files: readonly File[], flashBytes: number): Promise<SelectedFile[]> {
  const huge = files.find(({ size }) => size > MAX_FILE_BYTES);
  if (huge) throw new TickerError('ticker.too_large', { name: huge.name, size: huge.size, room: flashBytes });
  return Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}

function failureOf(parts: readonly FirmwarePart[], { facts, backup }: BenchState): ErrorReference | null {
  try {
    checkImages(parts, { ...facts!, board: boardOf(backup, facts!) });
    return null;
  } catch (error) {
    if (error instanceof TickerError) return error.reference;
    throw error;
  }
}

/** The third step: choose images; each is checked against the board at once. */
export function FirmwareStep({
  state,
  onBack,
  onWrite,
}: {
  state: BenchState;
  onBack: () => void;
  onWrite: (parts: readonly FirmwarePart[], eraseAll: boolean) => void;
}) {
  const { t } = useTranslation('tickers');
  const [parts, setParts] = useState<readonly FirmwarePart[]>([]);
  const [planFailure, setPlanFailure] = useState<ErrorReference | null>(null);
  const [eraseAll, setEraseAll] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { backup, facts } = state;
  const select = async (files: readonly File[]): Promise<void> => {
    setPlanFailure(null);
    try {
      setParts(planParts(await readFiles(files, facts!.flashBytes), facts!.chip));
    } catch (error) {
      setParts([]);
      if (error instanceof TickerError) setPlanFailure(error.reference);
      else throw error;
    }
  };
  const failure = planFailure ?? (parts.length > 0 ? failureOf(parts, state) : null);
  return (
    <>
      <header>
        <h2>{t('firmware_title')}</h2>
        <p className="muted">{t('firmware_text')}</p>
      </header>
      <BundledFirmware
        chip={facts!.chip.label}
        onSelect={(part) => {
          setPlanFailure(null);
          setParts([part]);
        }}
      />
      <section className="panel panel-body stack" aria-label={t('files')}>
        <span className="strong">{t('files')}</span>
        <span className="cap">{t('files_hint')}</span>
        <span className="row">
          <Button glyph={FileUp} onClick={() => input.current?.click()}>
            {t('choose_files')}
          </Button>
          {backup !== null && backup.kept === backup.bytes.length && (
            <Button
              onClick={() => {
                setPlanFailure(null);
                setParts([{ name: t('from_backup'), address: 0, bytes: backup.bytes }]);
              }}
            >
              {t('from_backup')}
            </Button>
          )}
        </span>
        <input
          ref={input}
          type="file"
          multiple
          accept=".bin,.json"
          hidden
          aria-label={t('files')}
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            // The same file may be chosen again after it was mended.
            target.value = '';
            if (files.length > 0) void select(files);
          }}
        />
      </section>
      {failure && <Failure failure={failure} />}
      {parts.length > 0 && failure === null && <Checks parts={parts} />}
      <div className="ticker-foot">
        <Button onClick={onBack}>{t('back')}</Button>
        <label className="row">
          <input
            type="checkbox"
            className="check"
            checked={eraseAll}
            onChange={({ target }) => setEraseAll(target.checked)}
          />
          {t('erase_all')}
        </label>
        <span className="push">
          <Button
            variant="primary"
            size="large"
            disabled={parts.length === 0 || failure !== null}
            onClick={() => onWrite(parts, eraseAll)}
          >
            {t('write')}
          </Button>
        </span>
      </div>
    </>
  );
}

function Checks({ parts }: { parts: readonly FirmwarePart[] }) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  const tag = parts.map(({ bytes }) => findBoardTag(bytes)).find((found) => found !== null);
  return (
    <Panel title={t('checks')}>
      <div className="panel-body stack">
        <Notice tone="ok" glyph={CircleCheck}>
          {t('checks_passed')}
        </Notice>
        {tag && <span className="cap">{t('made_for', { board: tag })}</span>}
      </div>
      <ul className="lines">
        {parts.map(({ name, address, bytes }) => (
          <li key={address} className="ticker-part">
            <span className="truncate">{name}</span>
            <span className="mono">{formatAddress(address)}</span>
            <span className="num">{t('part_bytes', { size: formats.count(bytes.length) })}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
