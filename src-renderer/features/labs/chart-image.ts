/** Margins around the chart and height of its title, in pixels at a ratio of one. */
const MARGIN = 20;
const TITLE_HEIGHT = 34;

/** Renders the chart with a title on the theme's background; null if the canvas cannot be exported. */
export function chartImageOf(chart: HTMLCanvasElement, titles: readonly string[]): Promise<Blob | null> {
  const style = getComputedStyle(chart);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const ratio = chart.width / (chart.clientWidth || chart.width);
  const canvas = Object.assign(document.createElement('canvas'), {
    width: chart.width + 2 * MARGIN * ratio,
    height: chart.height + (2 * MARGIN + TITLE_HEIGHT) * ratio,
  });
  const ctx = canvas.getContext('2d');
  if (!ctx) return Promise.resolve(null);
  ctx.fillStyle = token('surface');
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.font = `600 ${16 * ratio}px ${token('font')}`;
  ctx.textBaseline = 'middle';
  let left = MARGIN * ratio;
  titles.forEach((title, index) => {
    ctx.fillStyle = titles.length > 1 ? token(`s${index + 1}`) : token('ink');
    ctx.fillText(title, left, (MARGIN + TITLE_HEIGHT / 2) * ratio - 4 * ratio);
    left += ctx.measureText(title).width + 24 * ratio;
  });
  ctx.drawImage(chart, MARGIN * ratio, (MARGIN + TITLE_HEIGHT) * ratio);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
