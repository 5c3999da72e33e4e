/**
 * Writing firmware beside bare `esptool-js` on the same stand-in of a board, in turns: `npm run bench flash
 * [-- --runs 3 --kilobytes 1400]`. The line takes the time that its speed gives it. Connecting is not counted, the
 * comparison with the MD5 of the chip is. Exits 1 below 0.9 of the peer's throughput.
 */
import { parseArgs } from 'node:util';
import { ESPLoader, Transport } from 'esptool-js';
import { FAST_BAUD, hashBytes, openBench } from '../../src-shared/ticker/flash/bench.ts';
import { createBoard } from '../fakes/esp/board.ts';
import { connectPort } from '../fakes/esp/web-serial.ts';
import { createParts, IMAGE_BOARDS } from '../support/ticker-images.ts';

const MIN_RATIO = 0.9;
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, kilobytes: { type: 'string', default: '1400' } },
});
const RUNS = Number(values.runs);
const BOARD = IMAGE_BOARDS[4];
const PARTS = createParts(BOARD, Number(values.kilobytes) * 1000);
const BYTES = PARTS.reduce((sum, { bytes }) => sum + bytes.length, 0);
const SILENT = { clean: () => undefined, write: () => undefined, writeLine: () => undefined };

/** Writes with our flasher; returns kB/s. */
async function measureOurs(): Promise<number> {
  const bench = await openBench(connectPort(createBoard({ chip: BOARD.chip }), { isPaced: true }));
  const started = performance.now();
  await bench.write(PARTS);
  const speed = BYTES / (performance.now() - started);
  await bench.close();
  return speed;
}

/** Writes with the library alone; returns kB/s. */
async function measurePeer(): Promise<number> {
  const transport = new Transport(connectPort(createBoard({ chip: BOARD.chip }), { isPaced: true }) as never);
  transport.trace = () => undefined;
  const loader = new ESPLoader({ transport, baudrate: FAST_BAUD, terminal: SILENT });
  await loader.main();
  const started = performance.now();
  await loader.writeFlash({
    fileArray: PARTS.map(({ bytes, address }) => ({ data: bytes, address })),
    flashSize: 'keep',
    flashMode: 'keep',
    flashFreq: 'keep',
    eraseAll: false,
    compress: true,
    calculateMD5Hash: hashBytes,
  });
  const speed = BYTES / (performance.now() - started);
  await transport.disconnect();
  return speed;
}

const median = (speeds: number[]): number => speeds.sort((one, other) => one - other)[Math.floor(speeds.length / 2)]!;
const ours: number[] = [];
const peer: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  ours.push(await measureOurs());
  peer.push(await measurePeer());
}
const ratio = median(ours) / median(peer);
process.stdout.write(
  `${BYTES} bytes at ${FAST_BAUD} baud: ours ${median(ours).toFixed(1)} kB/s, ` +
    `esptool-js ${median(peer).toFixed(1)} kB/s, ratio ${ratio.toFixed(2)} (at least ${MIN_RATIO})\n`,
);
process.exitCode = ratio < MIN_RATIO ? 1 : 0;
