import { useQuery } from '@tanstack/react-query';
import { PackageCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BundledImage } from '../../../src-shared/contract/tickers.ts';
import type { FirmwarePart } from '../../../src-shared/ticker/flash/check-images.ts';
import { addressOf, call, contract, failureOf, OWN_HEADERS, unreachable } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';

async function readImage(board: string): Promise<Uint8Array> {
  const address = addressOf(contract.tickers.readFirmware, { params: { board } });
  const reply = await fetch(address, { headers: OWN_HEADERS }).catch(() => {
    throw unreachable();
  });
  if (!reply.ok) throw failureOf(reply.status, await reply.text());
  return new Uint8Array(await reply.arrayBuffer());
}

/** The firmware that comes with Hearth, as far as it is for this chip. */
export function BundledFirmware({ chip, onSelect }: { chip: string; onSelect: (part: FirmwarePart) => void }) {
  const { t } = useTranslation('tickers');
  const vocabulary = useVocabulary();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { data, error } = useQuery({
    queryKey: cacheKeys.tickerFirmware,
    queryFn: ({ signal }) => call(contract.tickers.listFirmware, {}, signal),
  });
  const select = async ({ board, version }: BundledImage): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      onSelect({ name: `${board} ${version}`, address: 0, bytes: await readImage(board) });
    } catch (problem) {
      setFailure(vocabulary.error(problem));
    }
    setBusy(false);
  };
  const problem = failure ?? (error && vocabulary.error(error));
  const images = data?.images.filter((image) => image.chip === chip);
  return (
    <Panel title={t('bundled')}>
      {problem !== null && <ErrorState message={problem} />}
      {!data && !error && <SkeletonLines count={1} label={t('bundled_reading')} />}
      {data?.images.length === 0 && <p className="panel-body muted">{t('bundled_none')}</p>}
      {data && data.images.length > 0 && images?.length === 0 && (
        <p className="panel-body muted">{t('bundled_other', { chip })}</p>
      )}
      {images && images.length > 0 && (
        <ul className="lines">
          {images.map((image) => (
            <li key={image.board} className="ticker-change">
              <span>
                {image.name} <span className="cap">{image.version}</span>
              </span>
              <Button size="small" glyph={PackageCheck} disabled={isBusy} onClick={() => void select(image)}>
                {t('bundled_use', { board: image.board })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
