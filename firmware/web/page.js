let states = [];
function draw() {
  states = [...document.querySelectorAll('details')].map((d) => d.open);
  ids = 0;
  document.documentElement.lang = lang;
  $('lang').value = lang;
  $('save').textContent = t('Save');
  $('title').textContent = cfg.hostname;
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
async function state() {
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
async function load() {
  cfg = await call('GET', '/api/config');
  wifi = cfg.wifi;
  symbols = cfg.ticker.symbols;
  draw();
}
$('save').onclick = async () => {
  const body = {
    ...cfg,
    wifi: wifi.map((w) => ({ ssid: w.ssid, pass: w.pass || '' })),
    ticker: { ...cfg.ticker, symbols },
  };
  delete body.features;
  if (!cfg.apPass && cfg.apPassSet) delete body.apPass;
  try {
    const r = await call('POST', '/api/config', JSON.stringify(body));
    say(r.reboot ? t('Saved. The device restarts.') : t('Saved.'));
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
