import {
  Box,
  ChevronDown,
  Circle,
  Contrast,
  Crosshair,
  DraftingCompass,
  Eye,
  FlipHorizontal2,
  FlipVertical2,
  Layers2,
  LayoutGrid,
  Link2,
  Move,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  Ruler,
  Settings2,
  Square,
  Star,
  SunMoon,
  Undo2,
  ZoomIn,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuLabel } from '../../../ui/menu.tsx';
import { DRAWINGS, drawingPreference, isByProcessor, setDrawing } from '../engine/engine.ts';
import { TOOLS, type ToolName } from '../engine/tools.ts';
import { isSameWindow, type WindowChoice } from '../engine/windows.ts';
import { LAYOUTS } from './series.ts';
import type { Cine } from './use-cine.ts';
import type { Marks } from './use-marks.ts';
import type { Planes } from './use-planes.ts';
import type { Viewer } from './use-viewer.ts';
import type { ViewerWords } from './use-words.ts';

const GLYPHS: Record<ToolName, LucideIcon> = {
  window: SunMoon,
  zoom: ZoomIn,
  pan: Move,
  scroll: Layers2,
  length: Ruler,
  angle: DraftingCompass,
  ellipse: Circle,
  rectangle: Square,
  probe: Crosshair,
};
/** As in OHIF where it has one. */
export const TOOL_KEYS: Record<ToolName, string> = {
  ...{
    window: 'w',
    zoom: 'z',
    pan: 'p',
    scroll: 's',
    length: 'd',
    angle: 'a',
    ellipse: 'e',
    rectangle: 'b',
    probe: 'x',
  },
};

interface Props {
  viewer: Viewer;
  choices: readonly WindowChoice[];
  cine: Cine;
  marks: Marks;
  planes: Planes;
  words: ViewerWords;
}

/** What can be done with the active picture. */
export function Toolbar({ viewer, choices, cine, marks, planes, words }: Props) {
  const { t } = words;
  const pane = viewer.pane;
  return (
    <div className="im-toolbar" role="toolbar" aria-label={t('toolbar')}>
      <Windows viewer={viewer} choices={choices} words={words} />
      <div className="im-group" role="group" aria-label={t('tools')}>
        {TOOLS.map((tool) => (
          <IconButton
            key={tool}
            glyph={GLYPHS[tool]}
            label={t(`tool_${tool}`)}
            keys={TOOL_KEYS[tool]}
            aria-pressed={viewer.tool === tool}
            onClick={() => viewer.setTool(tool)}
          />
        ))}
      </div>
      <div className="im-group" role="group" aria-label={t('change')}>
        <IconButton glyph={Contrast} label={t('invert')} keys="i" onClick={() => pane()?.invert()} />
        <IconButton glyph={RotateCcw} label={t('turn_left')} keys="l" onClick={() => pane()?.turn(-90)} />
        <IconButton glyph={RotateCw} label={t('turn_right')} keys="r" onClick={() => pane()?.turn(90)} />
        <IconButton
          glyph={FlipHorizontal2}
          label={t('flip_horizontal')}
          keys="h"
          onClick={() => pane()?.flip('horizontal')}
        />
        <IconButton
          glyph={FlipVertical2}
          label={t('flip_vertical')}
          keys="v"
          onClick={() => pane()?.flip('vertical')}
        />
        <IconButton glyph={Undo2} label={t('reset')} keys="space" onClick={() => pane()?.reset()} />
      </div>
      <CineControls cine={cine} words={words} total={viewer.view.total} />
      <div className="im-group push">
        {marks.toggleKeyImage && (
          <IconButton
            glyph={Star}
            label={t('key_image')}
            keys="k"
            aria-pressed={marks.isKeyImage}
            onClick={marks.toggleKeyImage}
          />
        )}
        <Way planes={planes} words={words} />
        <IconButton
          glyph={Box}
          label={t('planes')}
          keys="m"
          aria-pressed={planes.isShown}
          disabled={viewer.view.total === 0}
          onClick={planes.toggle}
        />
        <Layouts viewer={viewer} words={words} />
        {viewer.count > 1 && (
          <IconButton
            glyph={Link2}
            label={t('linked')}
            aria-pressed={viewer.isLinked}
            onClick={() => viewer.setLinked(!viewer.isLinked)}
          />
        )}
        <IconButton
          glyph={Eye}
          label={t('overlays')}
          keys="o"
          aria-pressed={viewer.hasOverlays}
          onClick={() => viewer.setOverlays(!viewer.hasOverlays)}
        />
        <Drawings words={words} />
      </div>
    </div>
  );
}

/** How far the volume is loaded, or why there are no planes. */
function Way({ planes: { way, stop }, words: { t } }: Pick<Props, 'planes' | 'words'>) {
  return (
    <span className="im-planes" role="status">
      {way && 'refusal' in way && way.refusal}
      {way && 'loaded' in way && (
        <>
          <span className="num">{t('planes_loading', { at: way.loaded, total: way.total })}</span>
          <Button size="small" variant="quiet" onClick={stop}>
            {t('planes_stop')}
          </Button>
        </>
      )}
    </span>
  );
}

function Windows({ viewer, choices, words }: Pick<Props, 'viewer' | 'choices' | 'words'>) {
  const { t, number } = words;
  const { window } = viewer.view;
  const shown = window && choices.find((choice) => isSameWindow(choice, window));
  return (
    <Menu
      align="start"
      trigger={
        <Button size="small" disabled={window === null} title={t('windows')}>
          {shown ? words.window(shown) : t('window')}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
    >
      {choices.map((choice, index) => (
        <MenuItem
          key={`${choice.name} ${index}`}
          {...(index < 9 && { keys: String(index + 1) })}
          onSelect={() => viewer.pane()?.setWindow(choice)}
        >
          {words.window(choice)} · {number(Math.round(choice.width))} / {number(Math.round(choice.center))}
        </MenuItem>
      ))}
    </Menu>
  );
}

const RATES = [1, 5, 10, 15, 20, 25, 30] as const;

function CineControls({ cine, words: { t }, total }: { cine: Cine; words: ViewerWords; total: number }) {
  return (
    <div className="im-group" role="group" aria-label={t('cine')}>
      <IconButton
        glyph={cine.isPlaying ? Pause : Play}
        label={cine.isPlaying ? t('pause') : t('play')}
        keys="c"
        disabled={total < 2}
        onClick={cine.toggle}
      />
      <Menu
        align="start"
        trigger={
          <Button size="small" variant="quiet" disabled={total < 2}>
            {t('rate', { count: cine.rate })}
          </Button>
        }
      >
        {RATES.map((rate) => (
          <MenuItem key={rate} onSelect={() => cine.setRate(rate)}>
            {t('rate', { count: rate })}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}

function Layouts({ viewer, words: { t } }: { viewer: Viewer; words: ViewerWords }) {
  return (
    <Menu
      trigger={
        <Button size="small" glyph={LayoutGrid} title={t('layout')}>
          {viewer.layout === 'planes' ? t('planes_short') : viewer.layout.replace('x', '×')}
        </Button>
      }
    >
      {LAYOUTS.map((layout) => (
        <MenuItem key={layout} onSelect={() => viewer.setLayout(layout)}>
          {t(`layout_${layout}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Which part of the computer draws; applies when the study is opened again. */
function Drawings({ words: { t } }: { words: ViewerWords }) {
  const [drawing, choose] = useState(drawingPreference);
  return (
    <Menu trigger={<IconButton glyph={Settings2} label={t('drawing')} />}>
      <MenuLabel>{isByProcessor() ? t('drawn_by_processor') : t('drawn_by_webgl')}</MenuLabel>
      {DRAWINGS.map((option) => (
        <MenuItem
          key={option}
          mark={<span aria-hidden="true">{option === drawing ? '•' : ' '}</span>}
          onSelect={() => {
            setDrawing(option);
            choose(option);
            location.reload();
          }}
        >
          {t(`drawing_${option}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
