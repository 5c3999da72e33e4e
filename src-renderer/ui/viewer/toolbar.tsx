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
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const wanted = Number.parseInt(typed ?? '', 10);
    if (wanted >= 1) onPage(Math.min(wanted, total));
    setTyped(null);
  };
  return (
    <span className="vw-page-field num">
      <input inputMode="numeric" size={Math.max(String(total).length, 1)} value={typed ?? page} aria-label={t('viewer.page_of', { total })}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))} onBlur={go} onFocus={(event) => event.target.select()}
        onKeyDown={(event) => { if (event.key === 'Enter') go(); else if (event.key === 'Escape') setTyped(null); }} />
      <span aria-hidden>/ {total}</span>
    </span>
  );
}

/** The viewer's tools. Each has its key in its tooltip. */
export function Toolbar({ page, total, zoom, scale, railOpen, regionOn, findOpen, canRotate, extra, onPage, onCommand, onScale }: Props) {
  const { t } = useTranslation();
  const hint = (key: string, shortcut: string) => `${t(key)} (${shortcut})`;
  return (
    <div className="vw-toolbar" role="toolbar" aria-label={t('viewer.tools')}>
      <button type="button" className="vw-tool vw-tool-icon" aria-pressed={railOpen} title={hint('viewer.pages', 'B')} aria-label={t('viewer.pages')} onClick={() => onCommand('rail')}><PanelLeft aria-hidden /></button>
      <PageField page={page} total={total} onPage={onPage} />
      <span className="vw-group">
        <button type="button" className="vw-tool" aria-pressed={zoom === 'width'} title={hint('viewer.fit_width', '0')} aria-label={t('viewer.fit_width')} onClick={() => onCommand('fit_width')}>{t('viewer.width')}</button>
        <button type="button" className="vw-tool" aria-pressed={zoom === 'page'} title={hint('viewer.fit_page', '9')} aria-label={t('viewer.fit_page')} onClick={() => onCommand('fit_page')}>{t('viewer.page')}</button>
      </span>
      <span className="vw-group">
        <button type="button" className="vw-tool vw-tool-icon" title={hint('viewer.zoom_out', '−')} aria-label={t('viewer.zoom_out')} onClick={() => onCommand('zoom_out')}><Minus aria-hidden /></button>
        <button type="button" className="vw-tool vw-percent num" title={t('viewer.actual_size')} aria-label={t('viewer.zoom_now', { percent: Math.round(scale * 100) })} onClick={() => onScale(1)}>{Math.round(scale * 100)}{'\u202f%'}</button>
        <button type="button" className="vw-tool vw-tool-icon" title={hint('viewer.zoom_in', '+')} aria-label={t('viewer.zoom_in')} onClick={() => onCommand('zoom_in')}><Plus aria-hidden /></button>
      </span>
      {canRotate && <button type="button" className="vw-tool" title={hint('viewer.rotate_hint', ']')} aria-label={t('viewer.rotate')} onClick={() => onCommand('rotate')}><RotateCw aria-hidden /> <span className="vw-word">{t('viewer.rotate')}</span></button>}
      <button type="button" className="vw-tool" aria-pressed={regionOn} title={hint('viewer.region_hint', 'C')} aria-label={t('viewer.region')} onClick={() => onCommand('region')}><SquareDashed aria-hidden /> <span className="vw-word">{t('viewer.region')}</span></button>
      <button type="button" className="vw-tool" aria-pressed={findOpen} title={hint('viewer.find', 'F')} aria-label={t('viewer.find')} onClick={() => onCommand('find')}><Search aria-hidden /> <span className="vw-word">{t('viewer.find')}</span></button>
      {extra}
    </div>
  );
}
