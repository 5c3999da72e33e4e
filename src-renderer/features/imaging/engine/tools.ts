import * as tools from '@cornerstonejs/tools';
import { ScrollTool, type ScrollPane } from './scroll-tool.ts';

const { MouseBindings } = tools.Enums;

/** What the first button of the mouse, or one finger, does. */
export const TOOLS = ['window', 'zoom', 'pan', 'scroll', 'length', 'angle', 'ellipse', 'rectangle', 'probe'] as const;
export type ToolName = (typeof TOOLS)[number];
/** Tools whose drawings are measurements. */
const MEASURES = ['length', 'angle', 'ellipse', 'rectangle', 'probe'] as const satisfies readonly ToolName[];
export type MeasureName = (typeof MEASURES)[number];

const CLASSES = {
  window: tools.WindowLevelTool,
  zoom: tools.ZoomTool,
  pan: tools.PanTool,
  scroll: ScrollTool,
  length: tools.LengthTool,
  angle: tools.AngleTool,
  ellipse: tools.EllipticalROITool,
  rectangle: tools.RectangleROITool,
  probe: tools.ProbeTool,
} as const;

export const engineToolOf = (name: ToolName): string => CLASSES[name].toolName;

/** The measurement that a tool of the engine draws. */
export const measureOf = (engineTool: string): MeasureName | null =>
  MEASURES.find((name) => engineToolOf(name) === engineTool) ?? null;

export type ToolGroup = NonNullable<ReturnType<typeof tools.ToolGroupManager.createToolGroup>>;
/** The lines beside a drawing. */
export type TextLines = (measure: MeasureName, points: [number, number, number][], imageId: string) => string[];
/** What a drawing of the engine has, as far as texts need it. */
interface MeasureData {
  handles: { points: [number, number, number][] };
}
/** The engine names the picture of a drawing so. */
const TARGET = 'imageId:';

const GROUP = 'viewer';
let isAdded = false;

/** The tools of one viewer; `textLines` words its measurements, `scroll` scrolls its panes. */
export function createTools(textLines: TextLines, scroll: ScrollPane): ToolGroup {
  if (!isAdded) {
    for (const name of TOOLS) tools.addTool(CLASSES[name]);
    tools.addTool(tools.ReferenceLinesTool);
    isAdded = true;
  }
  tools.ToolGroupManager.destroyToolGroup(GROUP);
  const group = tools.ToolGroupManager.createToolGroup(GROUP)!;
  for (const name of TOOLS)
    group.addTool(engineToolOf(name), name === 'scroll' ? { scroll } : configurationOf(name, textLines));
  group.addTool(tools.ReferenceLinesTool.toolName);
  styleMeasures();
  return group;
}

function configurationOf(name: ToolName, textLines: TextLines): Record<string, unknown> {
  const measure = MEASURES.find((candidate) => candidate === name);
  if (!measure) return {};
  // Statistics are counted from the stored values, not from those that are drawn.
  return {
    getTextLines: (data: MeasureData, target: string) =>
      textLines(measure, data.handles.points, target.slice(TARGET.length)),
    ...((measure === 'ellipse' || measure === 'rectangle') && { calculateStats: false }),
  };
}

/** The colors of the engine's drawings; on black in both themes. */
function styleMeasures(): void {
  const style = tools.annotation.config.style;
  style.setDefaultToolStyles({
    ...style.getDefaultToolStyles(),
    global: {
      ...style.getDefaultToolStyles().global,
      color: 'rgb(250, 204, 80)',
      colorHighlighted: 'rgb(255, 240, 190)',
      colorSelected: 'rgb(255, 240, 190)',
      colorLocked: 'rgb(250, 204, 80)',
      textBoxColor: 'rgb(250, 214, 110)',
      textBoxColorHighlighted: 'rgb(255, 240, 190)',
      textBoxColorSelected: 'rgb(255, 240, 190)',
      textBoxFontFamily: 'Inter Variable, sans-serif',
      textBoxFontSize: '13px',
      textBoxBackground: 'rgba(0, 0, 0, 0.72)',
      lineWidth: '1.6',
    },
  });
}

/** Gives the first button and one finger to a tool; wheel, other buttons and two fingers keep theirs. */
export function activate(group: ToolGroup, active: ToolName): void {
  for (const name of TOOLS) group.setToolPassive(engineToolOf(name), { removeAllBindings: true });
  const fixed: Record<'pan' | 'zoom' | 'scroll', { mouseButton?: number; numTouchPoints?: number }[]> = {
    pan: [{ mouseButton: MouseBindings.Auxiliary }],
    zoom: [{ mouseButton: MouseBindings.Secondary }, { numTouchPoints: 2 }],
    scroll: [{ mouseButton: MouseBindings.Wheel }],
  };
  const first = [{ mouseButton: MouseBindings.Primary }, { numTouchPoints: 1 }];
  for (const name of ['pan', 'zoom', 'scroll'] as const)
    group.setToolActive(engineToolOf(name), { bindings: name === active ? [...first, ...fixed[name]] : fixed[name] });
  if (active !== 'pan' && active !== 'zoom' && active !== 'scroll')
    group.setToolActive(engineToolOf(active), { bindings: first });
}

/** Shows where the active picture cuts the others of its space; null shows none. */
export function showReferenceLines(group: ToolGroup, sourceId: string | null): void {
  const { toolName } = tools.ReferenceLinesTool;
  if (sourceId === null) return group.setToolDisabled(toolName);
  group.setToolConfiguration(toolName, { sourceViewportId: sourceId, enforceSameFrameOfReference: true });
  group.setToolEnabled(toolName);
}
