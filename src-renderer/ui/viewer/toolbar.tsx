import { Minus, PanelLeft, Plus, RotateCw, Search, SquareDashed } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../class-names.ts';
import type { FindState } from './use-find.ts';
import type { RegionState } from './use-region.ts';
import type { ZoomControl } from './use-zoom.ts';
import type { ViewerCommand } from './use-viewer-keys.ts';

interface Props {
  page: number;
  total: number;
  zoom: ZoomControl;
  isRailOpen: boolean;
  region: RegionState;
  find: FindState;
  canRotate: boolean;
  /** Buttons of the page around the viewer. */
  extra: ReactNode;
  onPage: (page: number) => void;
  onCommand: (command: ViewerCommand) => void;
}

/** The page number as a field; Enter goes to the typed page. */
function PageField({ page, total, onPage }: Pick<Props, 'page' | 'total' | 'onPage'>) {
  const { t } = useTranslation('viewer');
  const [typed, setTyped] = useState<string | null>(null);
  const goToTyped = () => {
    const page = Number.parseInt(typed ?? '', 10);
    if (page >= 1) onPage(Math.min(page, total));
    setTyped(null);
  };
  return (
    <span className={classNames('vw-page-field num', total === 1 && 'vw-wide')}>
      <input
        inputMode="numeric"
        size={Math.max(String(total).length, 1)}
        value={typed ?? page}
        aria-label={t('page_of', { total })}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))}
        onBlur={goToTyped}
        onFocus={(event) => event.target.select()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') goToTyped();
          else if (event.key === 'Escape') setTyped(null);
        }}
      />
      <span aria-hidden>/ {total}</span>
    </span>
  );
}

/** A button of the toolbar; the tooltip names its key. */
function Tool({
  label,
  hint = label,
  keys,
  className,
  isPressed,
  onClick,
  children,
}: {
  label: string;
  hint?: string;
  keys?: string;
  className?: string;
  isPressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={classNames('vw-tool', className)}
      aria-pressed={isPressed}
      title={keys ? `${hint} (${keys})` : hint}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** The tools of the viewer: page, zoom, rotation, region and search. */
export function Toolbar(props: Props) {
  const { page, total, isRailOpen, region, find, canRotate, extra, onPage, onCommand } = props;
  const { t } = useTranslation('viewer');
  return (
    <div className="vw-toolbar" role="toolbar" aria-label={t('tools')}>
      <Tool
        label={t('pages')}
        keys="B"
        className="vw-tool-icon vw-wide"
        isPressed={isRailOpen}
        onClick={() => onCommand('rail')}
      >
        <PanelLeft aria-hidden />
      </Tool>
      <PageField page={page} total={total} onPage={onPage} />
      <ZoomTools {...props} />
      {canRotate && (
        <Tool label={t('rotate')} hint={t('rotate_hint')} keys="]" onClick={() => onCommand('rotate')}>
          <RotateCw aria-hidden /> <span className="vw-word">{t('rotate')}</span>
        </Tool>
      )}
      <Tool
        label={t('region')}
        hint={t('region_hint')}
        keys="C"
        isPressed={region.isDrawing}
        onClick={() => onCommand('region')}
      >
        <SquareDashed aria-hidden /> <span className="vw-word">{t('region')}</span>
      </Tool>
      <Tool label={t('find')} keys="F" isPressed={find.open} onClick={find.open ? find.close : () => onCommand('find')}>
        <Search aria-hidden /> <span className="vw-word">{t('find')}</span>
      </Tool>
      {extra}
    </div>
  );
}

function ZoomTools({ zoom: { zoom, scale, setZoom }, onCommand }: Pick<Props, 'zoom' | 'onCommand'>) {
  const { t } = useTranslation('viewer');
  const percent = Math.round(scale * 100);
  return (
    <>
      <span className="vw-group">
        <Tool label={t('fit_width')} keys="0" isPressed={zoom === 'width'} onClick={() => onCommand('fit_width')}>
          {t('width')}
        </Tool>
        <Tool
          label={t('fit_page')}
          keys="9"
          className="vw-wide"
          isPressed={zoom === 'page'}
          onClick={() => onCommand('fit_page')}
        >
          {t('page')}
        </Tool>
      </span>
      <span className="vw-group">
        <Tool label={t('zoom_out')} keys="−" className="vw-tool-icon" onClick={() => onCommand('zoom_out')}>
          <Minus aria-hidden />
        </Tool>
        <Tool
          label={t('zoom_now', { percent })}
          hint={t('actual_size')}
          className="vw-percent vw-wide num"
          onClick={() => setZoom(1)}
        >
          {percent}
          {'\u202f%'}
        </Tool>
        <Tool label={t('zoom_in')} keys="+" className="vw-tool-icon" onClick={() => onCommand('zoom_in')}>
          <Plus aria-hidden />
        </Tool>
      </span>
    </>
  );
}
