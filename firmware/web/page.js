let states = [];
const ESP8266_HINT =
  'On ESP8266 boards the time service can leave too little memory for cash.ch. Use the GitHub source there.';
const versionText = ({ newer, latest }) =>
  newer ? t('Newer version') + ' ' + latest : t('This is the newest version.');
function draw() {
  states = [...document.querySelectorAll('details')].map((d) => d.open);
  ids = 0;
  document.documentElement.lang = lang;
  $('lang').value = lang;
  $('save').textContent = t('Save');
  $('title').textContent = cfg.hostname;
  const zone = field('Time zone', 'clock.tz', 'select', {
    options: [...(ZONES[cfg.clock.tz] ? [] : [[cfg.clock.tz, cfg.clock.tz]]), ...Object.keys(ZONES).map((z) => [z, z])],
    onSelect: () => {
      if (ZONES[cfg.clock.tz]) cfg.clock.tzPosix = ZONES[cfg.clock.tz];
    },
  });
  $('main').replaceChildren(
    card(
      'State',
      true,
      el('div', { id: 'state' }),
      button('Fetch now', () => call('POST', '/api/refresh').then(state).catch(fail)),
    ),
    card(
      'Symbols',
      true,
      ...symbolRows(),
      symbols.length < 8
        ? button('Add symbol', () => {
            symbols.push({ symbol: '', name: '', source: 'yahoo', qty: 0, cost: 0 });
            draw();
          })
        : '',
      finder(),
    ),
    card(
      'What is shown',
      false,
      field('Time frame', 'ticker.range', 'select', {
        options: ['1d', '5d', '1mo', '3mo', '6mo', 'ytd', '1y', '2y', '5y', 'max'].map((r) => [r, r]),
      }),
      num('Fetch every (s)', 'ticker.pollSec', 10, 3600),
      num('Next symbol after (s)', 'ticker.rotateSec', 2, 3600),
      num('Points of the chart', 'ticker.points', 0, 60),
      field('Webhook address', 'ticker.webhookUrl', 'url', { props: { maxLength: 200 } }),
      ...[
        ['Change over the time frame', 'changeOnRange'],
        ['Red is up', 'colorInverted'],
        ['Show name', 'showName'],
        ['Show price', 'showPrice'],
        ['Show change', 'showChange'],
        ['Show chart', 'showChart'],
        ['Show time frame', 'showRangeLabel'],
        ['Show page dots', 'showPageDots'],
        ['Show portfolio', 'showPortfolio'],
        ['Show age', 'showUpdatedAgo'],
      ].map(([l, k]) => field(l, 'ticker.' + k, 'check')),
    ),
    card(
      'Screen',
      false,
      field('Mode', 'mode', 'select', {
        options: [
          ['stocks', 'Quotes'],
          ['clock', 'Clock'],
          ['carousel', 'Both in turn'],
        ],
      }),
      num('Turn every (s)', 'carouselSec', 5, 3600),
      num('Brightness', 'brightness', 0, 100),
      cfg.features.lightSensor ? field('Follow the light sensor', 'autoBrightness', 'check') : '',
      num('Rotation (quarter turns)', 'rotation', 0, 3),
      field('Colour order', 'display.colorOrder', 'select', {
        options: [
          ['auto', 'auto'],
          ['rgb', 'rgb'],
          ['bgr', 'bgr'],
        ],
      }),
      field('Colours inverted', 'display.invert', 'check'),
      field('Backlight inverted', 'backlightInverted', 'check'),
      num('Red %', 'display.rGain', 50, 150),
      num('Green %', 'display.gGain', 50, 150),
      num('Blue %', 'display.bGain', 50, 150),
    ),
    card(
      'Clock and night mode',
      false,
      zone,
      field('Dim at night', 'clock.nightEnabled', 'check'),
      field('Night begins', 'clock.nightStart', 'time'),
      field('Night ends', 'clock.nightEnd', 'time'),
      num('Brightness at night (0 = off)', 'clock.nightLevel', 0, 100),
      cfg.chip === 'esp8266' ? el('p', { className: 'hint' }, t(ESP8266_HINT)) : '',
    ),
    card(
      'Network',
      false,
      field('Device name', 'hostname', 'text', { props: { maxLength: 32 } }),
      el('datalist', { id: 'seen' }),
      ...wifiRows(),
      el(
        'div',
        { className: 'wide' },
        wifi.length < 4
          ? button('Add network', () => {
              wifi.push({ ssid: '', pass: '' });
              draw();
            })
          : '',
        button('Scan', () =>
          call('GET', '/api/scan')
            .then((l) => {
              $('seen').replaceChildren(...l.map((n) => el('option', { value: n.ssid })));
              say(l.map((n) => n.ssid).join(', '));
            })
            .catch(fail),
        ),
      ),
      num('Time limit of a request (ms)', 'httpTimeout', 1000, 20000),
      field('Name of the setup network', 'apSsid', 'text', { props: { maxLength: 32 } }),
      field('Password of the setup network (8 or more, empty = open)', 'apPass', 'password', {
        props: { maxLength: 63, placeholder: cfg.apPassSet ? t('unchanged') : '', autocomplete: 'off' },
      }),
    ),
    card(
      'Password protection',
      false,
      field('Ask for a password', 'auth.enabled', 'check'),
      field('User', 'auth.user', 'text', { props: { maxLength: 31 } }),
      field('Password', 'auth.pass', 'password', {
        props: {
          maxLength: 63,
          placeholder: cfg.auth.passSet ? t('unchanged') : '',
          autocomplete: 'new-password',
        },
      }),
    ),
    card(
      'Update and backup',
      false,
      el(
        'div',
        { className: 'wide' },
        button('Look for an update', () =>
          call('GET', '/api/checkupdate')
            .then((u) => say(u.ok ? versionText(u) : u.error, !u.ok))
            .catch(fail),
        ),
        button('Install it', () =>
          call('POST', '/api/selfupdate')
            .then(() => say('…'))
            .catch(fail),
        ),
        button('Install a file', () =>
          pick('.update', (f) => {
            say('…');
            call('POST', '/update', f)
              .then(() => say(t('Installed. The device restarts.')))
              .catch(fail);
          }),
        ),
      ),
      el(
        'p',
        {},
        el('a', { href: '/api/export', download: 'ticker-settings.json' }, t('Download settings (with passwords)')),
      ),
      button('Load settings', () =>
        pick('.json', (f) =>
          call('POST', '/api/import', f)
            .then(() => say(t('Saved. The device restarts.')))
            .catch(fail),
        ),
      ),
      ' ',
      button('Restart', () =>
        call('POST', '/api/reboot')
          .then(() => say('…'))
          .catch(fail),
      ),
      ' ',
      button(
        'Reset to factory settings',
        () =>
          confirm(t('Really delete all settings?')) &&
          call('POST', '/api/factory')
            .then(() => say('…'))
            .catch(fail),
      ),
    ),
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
