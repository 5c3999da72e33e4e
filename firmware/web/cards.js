// One function per card of the settings page; page.js draws them in this order.
const ESP8266_HINT =
  'On ESP8266 boards the time service can leave too little memory for cash.ch. Use the GitHub source there.';
const versionText = ({ newer, latest }) =>
  newer ? t('Newer version') + ' ' + latest : t('This is the newest version.');

const stateCard = () =>
  card(
    'State',
    true,
    el('canvas', { id: 'shot', width: 240, height: 240, role: 'img', ariaLabel: t('Picture of the screen') }),
    el('div', { id: 'state' }),
    button('Fetch now', () => call('POST', '/api/refresh').then(state).catch(fail)),
  );

const symbolsCard = () =>
  card('Symbols', true, ...symbolRows(), symbols.length < 8 ? button('Add symbol', () => addSymbol()) : '', finder());

const shownCard = () =>
  card(
    'What is shown',
    false,
    field('Time frame', 'ticker.range', 'select', {
      options: RANGES.map((r) => [r, r]),
    }),
    num('Fetch every (s)', 'ticker.pollSec', 10, 3600),
    num('Next symbol after (s)', 'ticker.rotateSec', 2, 3600),
    field('Line under the price', 'ticker.rangeBar', 'select', {
      options: [
        ['off', 'none'],
        ['day', 'Low and high of the day'],
        ['52w', 'Low and high of 52 weeks'],
      ],
    }),
    num('Points of the chart', 'ticker.points', 0, 60),
    field('Webhook address', 'ticker.webhookUrl', 'url', { props: { maxLength: 200 } }),
    field('GitHub repository of published prices (owner/name)', 'ticker.repo', 'text', { props: { maxLength: 100 } }),
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
      ['Show whether the market is open', 'showMarket'],
      ['Show the price before and after hours (time frame 1d)', 'extendedHours'],
      ['Show a page with all symbols', 'watchlist'],
      ['Show the time', 'showClock'],
    ].map(([l, k]) => field(l, 'ticker.' + k, 'check')),
  );

const screenCard = () =>
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
    field('Language of the screen', 'language', 'select', {
      options: [
        ['en', 'English'],
        ['de', 'Deutsch'],
      ],
    }),
    num('Turn every (s)', 'carouselSec', 5, 3600),
    num('Brightness', 'brightness', 0, 100),
    cfg.features.lightSensor ? field('Follow the light sensor', 'autoBrightness', 'check') : '',
    el(
      'div',
      { className: 'wide', role: 'group', ariaLabel: t('Rotation') },
      ...[0, 1, 2, 3].map((turns) => {
        const b = button(90 * turns + '°', () => {
          set('rotation', turns);
          draw();
        });
        b.ariaPressed = cfg.rotation === turns;
        return b;
      }),
    ),
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
  );

function clockCard() {
  const zone = field('Time zone', 'clock.tz', 'select', {
    options: [...(ZONES[cfg.clock.tz] ? [] : [[cfg.clock.tz, cfg.clock.tz]]), ...Object.keys(ZONES).map((z) => [z, z])],
    onSelect: () => {
      if (ZONES[cfg.clock.tz]) cfg.clock.tzPosix = ZONES[cfg.clock.tz];
    },
  });
  return card(
    'Clock and night mode',
    false,
    zone,
    field('Dim at night', 'clock.nightEnabled', 'check'),
    field('Night begins', 'clock.nightStart', 'time'),
    field('Night ends', 'clock.nightEnd', 'time'),
    num('Brightness at night (0 = off)', 'clock.nightLevel', 0, 100),
    field('Other times at weekends', 'clock.weekendOwn', 'check'),
    field('Weekend: night begins', 'clock.weekendStart', 'time'),
    field('Weekend: night ends', 'clock.weekendEnd', 'time'),
    field('At night only the time, in red', 'clock.nightClock', 'check'),
    field('Twelve hours (am, pm)', 'clock.hours12', 'check'),
    cfg.chip === 'esp8266' ? el('p', { className: 'hint' }, t(ESP8266_HINT)) : '',
  );
}

const networkCard = () =>
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
      button('Scan', () => callSlowly('GET', '/api/scan').then(showNetworks).catch(fail)),
    ),
    el('div', { id: 'near', className: 'wide', role: 'group', ariaLabel: t('Networks nearby') }),
    num('Time limit of a request (ms)', 'httpTimeout', 1000, 20000),
    field('Name of the setup network', 'apSsid', 'text', { props: { maxLength: 32 } }),
    field('Password of the setup network (8 or more, empty = a new one)', 'apPass', 'password', {
      props: { maxLength: 63, placeholder: cfg.apPassSet ? t('unchanged') : '', autocomplete: 'off' },
    }),
  );

const passwordCard = () =>
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
  );

const updateCard = () =>
  card(
    'Update and backup',
    false,
    el(
      'div',
      { className: 'wide' },
      button('Look for an update', () =>
        callSlowly('GET', '/api/checkupdate')
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
          callHere('POST', '/update', f)
            .then(() => say(t('Installed. The device restarts.')))
            .catch(fail);
        }),
      ),
    ),
    el(
      'p',
      {},
      el(
        'a',
        { href: '/api/export', download: 'ticker-settings.json' },
        t(cfg.auth.enabled ? 'Download settings (with passwords)' : 'Download settings (without passwords)'),
      ),
    ),
    button('Load settings', () =>
      pick('.json', (f) =>
        callHere('POST', '/api/import', f)
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
        callHere('POST', '/api/factory')
          .then(() => say('…'))
          .catch(fail),
    ),
  );
