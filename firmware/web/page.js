let states = [],
  saved;
function draw() {
  states = [...document.querySelectorAll('details')].map((d) => d.open);
  ids = 0;
  document.documentElement.lang = lang;
  $('lang').value = lang;
  $('save').textContent = t('Save');
  $('title').textContent = cfg.hostname;
  if (step) return drawStep();
  $('main').replaceChildren(
    stateCard(),
    symbolsCard(),
    shownCard(),
    screenCard(),
    clockCard(),
    networkCard(),
    passwordCard(),
    updateCard(),
  );
  document.querySelectorAll('details').forEach((d, i) => {
    if (states[i] !== undefined) d.open = states[i];
  });
  state();
}
// The first start, in three steps: network, symbols, time zone. They are saved together.
let step = 0;
function drawStep() {
  const to = (next) => () => {
    step = next;
    draw();
  };
  const parts = [networkCard, symbolsCard, clockCard];
  const part = parts[step - 1]();
  part.open = true;
  if (step === 1 && !wifi.length) {
    wifi.push({ ssid: '', pass: '' });
    return draw();
  }
  $('main').replaceChildren(
    el('h2', {}, t('Step {0} of 3').replace('{0}', step)),
    part,
    el(
      'div',
      { className: 'wide' },
      step > 1 ? button('Back', to(step - 1)) : '',
      step < 3 ? button('Next', to(step + 1)) : '',
      button('All settings', to(0)),
    ),
  );
}
async function state() {
  if (step) return;
  try {
    const s = await call('GET', '/api/status');
    const row = (a, b, bad) => el('tr', {}, el('td', {}, a), el('td', { className: bad ? 'bad' : '' }, b));
    $('state').replaceChildren(
      el(
        'table',
        {},
        row(t('Version'), s.fw + ' · ' + s.board),
        row(t('Address'), s.ip + ' · ' + s.ssid),
        row(t('Signal'), s.rssi + ' dBm'),
        row(t('Running for'), Math.floor(s.uptime / 3600) + ' h ' + (Math.floor(s.uptime / 60) % 60) + ' min'),
        row(t('Free memory'), Math.round(s.heap / 1024) + ' KB'),
        ...(s.updateMsg ? [row(t('Update and backup'), s.updateMsg)] : []),
        ...s.tickers.map((k) =>
          row(
            k.symbol,
            (k.valid
              ? k.price +
                ' ' +
                k.currency +
                (k.changePct !== undefined ? ' (' + k.changePct + ' %)' : '') +
                (k.fresh ? '' : ' · ' + t('old'))
              : '') +
              (k.error
                ? ' ' +
                  (ERR[lang][k.error] || k.error) +
                  (k.httpStatus ? ' ' + k.httpStatus : '') +
                  (k.retryIn !== undefined ? ' · ' + t('retry in') + ' ' + k.retryIn + ' s' : '')
                : ''),
            !!k.error,
          ),
        ),
      ),
    );
  } catch {
    $('state').textContent = t('The device does not answer.');
  }
}
// What the screen shows, as runs of equal pixels: count, RGB565 low byte, high byte.
async function shot() {
  const canvas = $('shot');
  if (!canvas?.checkVisibility() || document.hidden) return;
  try {
    const r = await fetch('/api/screen');
    if (!r.ok) return;
    const runs = new Uint8Array(await r.arrayBuffer());
    const image = new ImageData(240, 240);
    const pixels = new Uint32Array(image.data.buffer);
    for (let at = 0, to = 0; at + 2 < runs.length; at += 3) {
      const c = runs[at + 1] | (runs[at + 2] << 8);
      const [red, green, blue] = [(c >> 11) * 8.226, ((c >> 5) & 63) * 4.048, (c & 31) * 8.226];
      pixels.fill(((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0, to, (to += runs[at]));
    }
    canvas.getContext('2d').putImageData(image, 0, 0);
  } catch {
    // The next picture may come.
  }
}
// What would be saved: empty rows, such as the first one of the wizard, change nothing.
const toSave = () =>
  JSON.stringify({
    ...cfg,
    wifi: wifi.filter((w) => w.ssid || w.pass),
    ticker: { ...cfg.ticker, symbols: symbols.filter((s) => s.symbol) },
  });
async function load() {
  cfg = await call('GET', '/api/config');
  wifi = cfg.wifi;
  symbols = cfg.ticker.symbols;
  if (!saved && !wifi.length && !symbols.length) step = 1;
  saved = toSave();
  draw();
}
$('save').onclick = async () => {
  const body = {
    ...cfg,
    wifi: wifi.filter((w) => w.ssid).map((w) => ({ ssid: w.ssid, pass: w.pass || '' })),
    ticker: { ...cfg.ticker, symbols },
  };
  delete body.features;
  if (!cfg.apPass && cfg.apPassSet) delete body.apPass;
  try {
    const r = await call('POST', '/api/config', JSON.stringify(body));
    say(r.reboot ? t('Saved. The device restarts.') : t('Saved.'));
    step = 0;
    if (!r.reboot) await load();
  } catch (e) {
    fail(e);
  }
};
$('lang').onchange = () => {
  lang = localStorage.lang = $('lang').value;
  draw();
};
load().catch(fail);
setInterval(() => cfg && state(), 10000);
setInterval(() => cfg && shot(), 3000);
// A mark as long as something is not saved, and a question before it is left.
const isChanged = () => cfg && saved !== toSave();
setInterval(() => {
  if (!cfg) return;
  $('save').classList.toggle('changed', isChanged());
  $('save').title = isChanged() ? t('There are changes that are not saved.') : '';
}, 300);
onbeforeunload = (e) => isChanged() && e.preventDefault();
