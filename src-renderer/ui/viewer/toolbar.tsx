import { Minus, PanelLeft, Plus, RotateCw, Search, SquareDashed } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zoom } from './geometry.ts';
import type { ViewerCommand } from './use-viewer-keys.ts';

interface Props {
  page: number;
  total: number;
  zoom: Zoom;
  scale: number;
  railOpen: boolean;
  regionOn: boolean;
  findOpen: boolean;
  canRotate: boolean;
  /** Buttons of the page around the viewer. */
  extra: ReactNode;
  onPage: (page: number) => void;
  onCommand: (command: ViewerCommand) => void;
  onScale: (scale: number) => void;
}

/** Number of the page in a field; Enter goes there. */
function PageField({ page, total, onPage }: Pick<Props, 'page' | 'total' | 'onPage'>) {
  const { t } = useTranslation('viewer');
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const page = Number.parseInt(typed ?? '', 10);
    if (page >= 1) onPage(Math.min(page, total));
    setTyped(null);
  };
  return (
    <span className="vw-page-field num">
      <input
        inputMode="numeric"
        size={Math.max(String(total).length, 1)}
        value={typed ?? page}
        aria-label={t('page_of', { total })}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))}
        onBlur={go}
        onFocus={(event) => event.target.select()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go();
          else if (event.key === 'Escape') setTyped(null);
        }}
      />
      <span aria-hidden>/ {total}</span>
    </span>
  );
}

/** The viewer's tools. Each has its key in its tooltip. */
export function Toolbar({
  page,
  total,
  zoom,
  scale,
  railOpen,
  regionOn,
  findOpen,
  canRotate,
  extra,
  onPage,
  onCommand,
  onScale,
}: Props) {
  const { t } = useTranslation('viewer');
  const hint = (words: string, shortcut: string) => `${words} (${shortcut})`;
  return (
    <div className="vw-toolbar" role="toolbar" aria-label={t('tools')}>
      <button
        type="button"
        className="vw-tool vw-tool-icon"
        aria-pressed={railOpen}
        title={hint(t('pages'), 'B')}
        aria-label={t('pages')}
        onClick={() => onCommand('rail')}
      >
        <PanelLeft aria-hidden />
      </button>
      <PageField page={page} total={total} onPage={onPage} />
      <span className="vw-group">
        <button
          type="button"
          className="vw-tool"
          aria-pressed={zoom === 'width'}
          title={hint(t('fit_width'), '0')}
          aria-label={t('fit_width')}
          onClick={() => onCommand('fit_width')}
        >
          {t('width')}
        </button>
        <button
          type="button"
          className="vw-tool"
          aria-pressed={zoom === 'page'}
          title={hint(t('fit_page'), '9')}
          aria-label={t('fit_page')}
          onClick={() => onCommand('fit_page')}
        >
          {t('page')}
        </button>
      </span>
      <span className="vw-group">
        <button
          type="button"
          className="vw-tool vw-tool-icon"
          title={hint(t('zoom_out'), '−')}
          aria-label={t('zoom_out')}
          onClick={() => onCommand('zoom_out')}
        >
          <Minus aria-hidden />
        </button>
        <button
          type="button"
          className="vw-tool vw-percent num"
          title={t('actual_size')}
          aria-label={t('zoom_now', { percent: Math.round(scale * 100) })}
          onClick={() => onScale(1)}
        >
          {Math.round(scale * 100)}
          {'\u202f%'}
        </button>
        <button
          type="button"
          className="vw-tool vw-tool-icon"
          title={hint(t('zoom_in'), '+')}
          aria-label={t('zoom_in')}
          onClick={() => onCommand('zoom_in')}
        >
          <Plus aria-hidden />
        </button>
      </span>
      {canRotate && (
        <button
          type="button"
          className="vw-tool"
          title={hint(t('rotate_hint'), ']')}
          aria-label={t('rotate')}
          onClick={() => onCommand('rotate')}
        >
          <RotateCw aria-hidden /> <span className="vw-word">{t('rotate')}</span>
        </button>
      )}
      <button
        type="button"
        className="vw-tool"
        aria-pressed={regionOn}
        title={hint(t('region_hint'), 'C')}
        aria-label={t('region')}
        onClick={() => onCommand('region')}
      >
        <SquareDashed aria-hidden /> <span className="vw-word">{t('region')}</span>
      </button>
      <button
        type="button"
        className="vw-tool"
        aria-pressed={findOpen}
        title={hint(t('find'), 'F')}
        aria-label={t('find')}
        onClick={() => onCommand('find')}
      >
        <Search aria-hidden /> <span className="vw-word">{t('find')}</span>
      </button>
      {extra}
    </div>
  );
}
