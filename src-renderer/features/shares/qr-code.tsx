import QRCode from 'qrcode';
import { useMemo } from 'react';

/** White modules around the code, so that cameras find its edge (ISO/IEC 18004). */
const QUIET = 4;

/** A text as a QR code, dark on white in both themes, because not every camera reads light on dark. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawing(text), [text]);
  const side = size + 2 * QUIET;
  return (
    <svg className="qr-code" viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" role="img" aria-label={label}>
      <path className="qr-paper" d={`M0 0h${side}v${side}H0z`} />
      <path className="qr-ink" d={path} />
    </svg>
  );
}

function drawing(text: string): { size: number; path: string } {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const path = Array.from(modules.data, (isDark, index) =>
    isDark ? `M${(index % size) + QUIET} ${Math.floor(index / size) + QUIET}h1v1h-1z` : '',
  ).join('');
  return { size, path };
}
